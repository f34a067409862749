// SPDX-License-Identifier: GPL-2.0
/*
 * Copies between scatter lists and linear memory. Serves the senders and receivers of this module.
 */
#include "softhca.h"

void sh_gather(u8 *to, const struct ib_sge *sge, u32 off, u32 len)
{
	for (; len; sge++) {
		u32 n;

		if (off >= sge->length) {
			off -= sge->length;
			continue;
		}
		n = min(len, sge->length - off);
		memcpy(to, (void *)(uintptr_t)sge->addr + off, n);
		to += n;
		len -= n;
		off = 0;
	}
}

u32 sh_scatter(struct sh_cursor *c, const u8 *from, u32 len)
{
	u32 done = 0;

	while (len && c->left) {
		u32 n = min(len, c->sge->length - c->off);

		memcpy((void *)(uintptr_t)c->sge->addr + c->off, from, n);
		from += n;
		len -= n;
		done += n;
		c->off += n;
		if (c->off == c->sge->length) {
			c->sge++;
			c->left--;
			c->off = 0;
		}
	}
	return done;
}

u32 sh_sge_len(const struct ib_sge *s, int n)
{
	u32 l = 0;

	while (n--)
		l += (s++)->length;
	return l;
}
