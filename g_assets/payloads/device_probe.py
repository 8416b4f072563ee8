"""Is the device of a case on this machine?

Belongs here: the cheap look, before a child is started, at what the NVIDIA driver shows. A GPU that is there and that
JAX cannot use is not "unsupported": the engine then fails with its own message, and the cell with it. Does not belong
here: the engine's own check (g_core/engine/device.py).
"""

from pathlib import Path

from g_assets.artifacts.models import Context
from g_assets.profiles.models import Device


def unsupported_reason(device: Device, context: Context) -> str | None:
    """Why a case cannot run here, or None.

    Args:
        device: What the case asks for.
        context: This machine, as ``capture_context`` saw it.
    """
    if device is Device.CPU or context.host.gpu_models or any(Path("/dev").glob("nvidia[0-9]*")):
        return None
    return f"no GPU on {context.host.hostname}: nvidia-smi lists none and there is no /dev/nvidia* device"
