// SPDX-License-Identifier: LGPL-2.1-or-later
/// Preloaded into nm-ib by the scenario nm-ib-as-nmcli: libnm is of Debian 13's version, and the daemon of another.
extern "C" unsigned nm_utils_version() { return 1U << 16 | 52U << 8 | 99U; }
