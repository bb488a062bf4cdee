"""Makes ONNX model folders for `plugins.corpus.embedding`. Whoever makes a model needs it; no server imports it."""
