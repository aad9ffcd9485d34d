"""The actor-critic program of TensorFlow's tutorials, on a CartPole of NumPy.

`losses` gives what the first episodes of training come to, with TensorFlow or with gradtape. The
weights are given, and actions are drawn by a stateless op: both then compute the same numbers.
`python -m tests.autograph.actor_critic` prints TensorFlow's.
"""

import numpy as np

ACTIONS, HIDDEN, MAX_STEPS = 2, 16, 60


class CartPole:
    """A pole on a cart, by Euler's method; the numbers are those of Barto, Sutton and Anderson."""

    def reset(self, seed):
        self.state = np.random.RandomState(seed).uniform(-0.05, 0.05, 4)
        return self.state.astype(np.float32)

    def step(self, action):
        x, v, angle, omega = self.state
        force = 10.0 if action == 1 else -10.0
        push = (force + 0.05 * omega**2 * np.sin(angle)) / 1.1
        turn = (9.8 * np.sin(angle) - np.cos(angle) * push) / (
            0.5 * (4.0 / 3.0 - 0.1 * np.cos(angle) ** 2 / 1.1)
        )
        pull = push - 0.05 * turn * np.cos(angle) / 1.1
        self.state = np.array([x + 0.02 * v, v + 0.02 * pull, angle + 0.02 * omega, omega])
        self.state[3] += 0.02 * turn
        done = abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.2095
        return self.state, 1.0, done


def program(tf, env, draw, **options):
    """Return the model and `train_step` of the tutorial."""

    class ActorCritic(tf.keras.Model):
        def __init__(self, num_actions, num_hidden_units):
            super().__init__()
            self.common = tf.keras.layers.Dense(num_hidden_units, activation="relu")
            self.actor = tf.keras.layers.Dense(num_actions)
            self.critic = tf.keras.layers.Dense(1)

        def call(self, inputs):
            x = self.common(inputs)
            return self.actor(x), self.critic(x)

    @tf.numpy_function(Tout=[tf.float32, tf.int32, tf.int32])
    def env_step(action):
        state, reward, done = env.step(action)
        return (state.astype(np.float32), np.array(reward, np.int32), np.array(done, np.int32))

    def run_episode(initial_state, model, max_steps):
        action_probs = tf.TensorArray(dtype=tf.float32, size=0, dynamic_size=True)
        values = tf.TensorArray(dtype=tf.float32, size=0, dynamic_size=True)
        rewards = tf.TensorArray(dtype=tf.int32, size=0, dynamic_size=True)

        initial_state_shape = initial_state.shape
        state = initial_state

        for t in tf.range(max_steps):
            state = tf.expand_dims(state, 0)
            action_logits_t, value = model(state)
            action = draw(action_logits_t, t)
            action_probs_t = tf.nn.softmax(action_logits_t)
            values = values.write(t, tf.squeeze(value))
            action_probs = action_probs.write(t, action_probs_t[0, action])
            state, reward, done = env_step(action)
            state.set_shape(initial_state_shape)
            rewards = rewards.write(t, reward)
            if tf.cast(done, tf.bool):
                break

        return action_probs.stack(), values.stack(), rewards.stack()

    def get_expected_return(rewards, gamma, standardize=True):
        n = tf.shape(rewards)[0]
        returns = tf.TensorArray(dtype=tf.float32, size=n)
        rewards = tf.cast(rewards[::-1], dtype=tf.float32)
        discounted_sum = tf.constant(0.0)
        discounted_sum_shape = discounted_sum.shape
        for i in tf.range(n):
            reward = rewards[i]
            discounted_sum = reward + gamma * discounted_sum
            discounted_sum.set_shape(discounted_sum_shape)
            returns = returns.write(i, discounted_sum)
        returns = returns.stack()[::-1]
        if standardize:
            deviation = tf.math.reduce_std(returns) + np.finfo(np.float32).eps.item()
            returns = (returns - tf.math.reduce_mean(returns)) / deviation
        return returns

    huber_loss = tf.keras.losses.Huber(reduction="sum")

    def compute_loss(action_probs, values, returns):
        advantage = returns - values
        action_log_probs = tf.math.log(action_probs)
        actor_loss = -tf.math.reduce_sum(action_log_probs * advantage)
        critic_loss = huber_loss(values, returns)
        return actor_loss + critic_loss

    optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)
    seen = []

    @tf.function(**options)
    def train_step(initial_state, model, optimizer, gamma, max_steps_per_episode):
        with tf.GradientTape() as tape:
            action_probs, values, rewards = run_episode(initial_state, model, max_steps_per_episode)
            returns = get_expected_return(rewards, gamma)
            action_probs, values, returns = [
                tf.expand_dims(x, 1) for x in [action_probs, values, returns]
            ]
            loss = compute_loss(action_probs, values, returns)
        seen.append(loss)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables, strict=True))
        episode_reward = tf.math.reduce_sum(rewards)
        return episode_reward, loss

    return ActorCritic(ACTIONS, HIDDEN), optimizer, train_step


def losses(tf, episodes, **options):
    """Return (reward, loss) of each episode."""
    env = CartPole()

    def draw(logits, t):
        return tf.random.stateless_categorical(logits, 1, seed=tf.stack([7, t]))[0, 0]

    model, optimizer, train_step = program(tf, env, draw, **options)
    model(tf.zeros((1, 4)))
    weights = np.random.RandomState(1)
    model.set_weights([weights.normal(0.0, 0.4, w.shape) for w in model.get_weights()])
    result = []
    for episode in range(episodes):
        state = tf.constant(env.reset(episode), dtype=tf.float32)
        reward, loss = train_step(state, model, optimizer, 0.99, MAX_STEPS)
        result.append([int(reward), f"{float(loss):.4g}"])
    return result


if __name__ == "__main__":
    import tensorflow

    for row in losses(tensorflow, 8):
        print(row)
