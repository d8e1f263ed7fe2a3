"""The engine and the naive referee side by side, driven by Hypothesis."""

from hypothesis import HealthCheck, Phase, settings

from tests.rig.engine.side_by_side import SideBySide

TestSideBySide = SideBySide.TestCase
TestSideBySide.settings = settings(
    max_examples=40,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    phases=(Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
