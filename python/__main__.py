# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""What a Call starts for a replica of a Python Function: see docs/worker-protocol.md."""

import sys

from gst_orch.worker.main import main

sys.exit(main())
