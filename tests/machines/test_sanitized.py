"""What a sanitizer says is a finding, except that there is not enough memory."""

from tests.machines.sanitized import said


def test_missing_memory_is_no_finding(tmp_path):
    report = tmp_path / "report.1"
    missing = "==1==WARNING: AddressSanitizer failed to allocate 0x200000000 bytes\n"
    report.write_text(missing * 2)
    assert said(report) == ""
    report.write_text(f"{missing}==1==ERROR: AddressSanitizer: heap-use-after-free\n")
    assert said(report) == "==1==ERROR: AddressSanitizer: heap-use-after-free"
