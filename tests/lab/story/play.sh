# SPDX-License-Identifier: LGPL-2.1-or-later
# Plays one story in the guest; compare_stories reads what it prints.
exec python3 -u player.py story
