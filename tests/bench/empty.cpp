// SPDX-License-Identifier: LGPL-2.1-or-later
// The process that does nothing: what starting one costs.
int main() {}
