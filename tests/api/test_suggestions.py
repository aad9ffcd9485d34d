"""Which name is suggested for one that does not exist."""

import pytest

import gradtape as tf
from gradtape.api import suggestions

# What people write (misspelled, in the wrong namespace, in NumPy's or PyTorch's words), and the
# name in the same namespace, or with tf. in front in another.
MEANT = """
redcue_sum=reduce_sum reduce_summ=reduce_sum reducesum=reduce_sum reduce_meen=reduce_mean
reduce_avg=reduce_mean mean=reduce_mean sum=reduce_sum max=reduce_max min=reduce_min
prod=reduce_prod average=reduce_mean matmull=matmul matMul=matmul dot=tensordot mm=matmul
gradientTape=GradientTape GradientTap=GradientTape Gradient_Tape=GradientTape
gradient_tape=GradientTape GradTape=GradientTape variable=Variable Varible=Variable
Variabel=Variable tensor=constant constnat=constant contant=constant Constant=constant
zeroes=zeros zero=zeros one=ones ones_lik=ones_like onesLike=ones_like reshap=reshape
Reshape=reshape transpos=transpose concatenate=concat cat=concat concatt=concat stak=stack
unstak=unstack expand_dim=expand_dims expanddims=expand_dims unsqueeze=expand_dims
squeze=squeeze sqeeze=squeeze arange=range argmx=argmax cast_to=cast flatten=reshape
permute=transpose tile_=tile repet=repeat broadcastto=broadcast_to clip=clip_by_value
clip_by_valeu=clip_by_value clamp=clip_by_value convert_to_tensr=convert_to_tensor
to_tensor=convert_to_tensor as_tensor=convert_to_tensor array=constant eyes=eye identiy=identity
detach=stop_gradient stop_gradients=stop_gradient no_grad=stop_gradient functon=function
func=function jit=function sigmod=sigmoid sigmoid_=sigmoid softmx=tf.nn.softmax
softmax=tf.nn.softmax relu=tf.nn.relu conv2d=tf.nn.conv2d exp_=exp squar=square power=pow
abs_=abs absolute=abs normal=tf.random.normal float=float32 float_32=float32 int=int32
long=int64 bool_=bool where_=where Module_=Module dataset=tf.data.Dataset
Dataset=tf.data.Dataset vectorize_map=vectorized_map mapfn=map_fn whileloop=while_loop
while_lop=while_loop conditional=cond gather_ND=gather_nd scatternd=scatter_nd
boolean_maks=boolean_mask one_hott=one_hot onehot=one_hot einsum_=einsum norm_=norm l2_norm=norm
cumsum_=cumsum linspce=linspace sparsetensor=SparseTensor RagedTensor=RaggedTensor
tensorspec=TensorSpec TensorShap=TensorShape math.redcue_mean=reduce_mean math.sine=sin
math.ln=log math.arcsin=asin math.arctan2=atan2 math.sgn=sign math.cumulative_sum=cumsum
math.logsumexp=reduce_logsumexp math.mean=reduce_mean nn.sofmax=softmax nn.Relu=relu
nn.leakyrelu=leaky_relu nn.cross_entropy=softmax_cross_entropy_with_logits
nn.maxpool2d=max_pool2d nn.max_pooling2d=max_pool2d nn.conv_2d=conv2d
nn.batch_norm=batch_normalization nn.layernorm=tf.keras.layers.LayerNormalization
linalg.inverse=inv linalg.determinant=det linalg.eigh_=eigh linalg.choleski=cholesky
linalg.solve_=solve random.randn=normal random.rand=uniform random.seed=set_seed
random.permutation=shuffle data.Datset=Dataset image.resise=resize image.flip=flip_up_down
strings.len=length io.readfile=read_file train.CheckPoint=Checkpoint
debugging.assert_eq=assert_equal signal.FFT=fft autodiff.ForwardAccumlator=ForwardAccumulator
sparse.todense=to_dense ragged.const=constant
""".split()


def attribute(path: str):
    value = tf
    for part in path.split("."):
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("pair", MEANT)
def test_the_name_that_is_meant_is_suggested(pair):
    written, meant = pair.split("=")
    with pytest.raises(AttributeError) as caught:
        attribute(written)
    assert str(caught.value).endswith(f"Did you mean: '{meant}'?")
    namespace = f"{written.rpartition('.')[0]}." if "." in written else ""
    assert attribute(meant.removeprefix("tf.") if meant.startswith("tf.") else namespace + meant)


@pytest.mark.parametrize("name", ["xyz", "foo", "nosuchname", "qqq", "nn.zzz", "data.foo"])
def test_nothing_is_suggested_for_nonsense(name):
    with pytest.raises(AttributeError) as caught:
        attribute(name)
    assert "Did you mean" not in str(caught.value)


@pytest.mark.parametrize("name", suggestions._ELSEWHERE)
def test_what_other_libraries_names_mean_exists(name):
    assert attribute(suggestions._ELSEWHERE[name]) is not None
    assert not hasattr(tf, name)
