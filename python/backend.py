"""Builds the wheel of this package, which needs nothing but Python."""

import base64
import hashlib
import re
import tarfile
import zipfile
from pathlib import Path

FOLDER = Path(__file__).parent


def _version():
    text = (FOLDER / "collcost" / "_binding.py").read_text(encoding="utf-8")
    return re.search(r'VERSION = "(.*)"', text).group(1)


def _metadata():
    return ("Metadata-Version: 2.1\nName: collcost\n"
            f"Version: {_version()}\nRequires-Python: >=3.8\nLicense: GPL-3.0-or-later\n"
            "Summary: What collective communication costs, from Python\n")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    about = f"collcost-{_version()}.dist-info"
    files = {f"collcost/{path.name}": path.read_bytes()
             for path in sorted((FOLDER / "collcost").glob("*.py"))}
    files[f"{about}/METADATA"] = _metadata().encode()
    files[f"{about}/WHEEL"] = (b"Wheel-Version: 1.0\nGenerator: collcost\n"
                               b"Root-Is-Purelib: true\nTag: py3-none-any\n")
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{about}/RECORD"] = (record + f"{about}/RECORD,,\n").encode()
    name = f"collcost-{_version()}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), data)
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f"collcost-{_version()}"
    with tarfile.open(Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for path in ("pyproject.toml", "backend.py", *(f"collcost/{p.name}" for p in
                                                       sorted((FOLDER / "collcost").glob("*.py")))):
            archive.add(FOLDER / path, f"{name}/{path}")
    return f"{name}.tar.gz"
