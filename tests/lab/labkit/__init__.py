# SPDX-License-Identifier: LGPL-2.1-or-later
"""The lab: a Debian guest with a software InfiniBand fabric. tests/lab/lab is the command; docs/lab.md the manual."""
