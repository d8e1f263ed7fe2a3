"""The one place that touches the models: functions only, a file a family."""
