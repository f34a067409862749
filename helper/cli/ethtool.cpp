// SPDX-License-Identifier: LGPL-2.1-or-later
/// ethtool options: on, off or not touched, a number, or a set of words.
#include "cli/base/gobject.hpp"
#include "cli/kinds.hpp"
#include "cli/newer.hpp"
#include "cli/rows.hpp"

namespace nmib::cli
{

namespace kind
{

namespace
{
Result<void> set_feature(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &)
{
    auto t = Result<Ternary>(Ternary::unknown);
    if (value) t = to_ternary(value, true);
    if (!t) return bad(form(nm("'%s' is not valid; use 'on', 'off', or 'ignore'"), value));
    if (*t == Ternary::unknown)
        nm_setting_option_set(setting, row.name, nullptr);
    else
        nm_setting_option_set_boolean(setting, row.name, *t == Ternary::on);
    return {};
}

std::string get_feature(const Row &row, NMSetting *setting, Style style)
{
    gboolean on = FALSE;
    if (!nm_setting_option_get_boolean(setting, row.name, &on)) return {};
    const char *word = on ? "on" : "off";
    return style == Style::pretty ? nm(word) : word;
}

Result<void> set_amount(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &)
{
    if (!value) {
        nm_setting_option_set(setting, row.name, nullptr);
        return {};
    }
    const auto n = to_number<std::int64_t>(value, 10, 0, G_MAXUINT32);
    if (!n)
        return bad(
            form(nm("'%s' is out of range [%" G_GUINT32_FORMAT ", %" G_GUINT32_FORMAT "]"), value, 0U, G_MAXUINT32));
    nm_setting_option_set_uint32(setting, row.name, static_cast<std::uint32_t>(*n));
    return {};
}

std::string get_amount(const Row &row, NMSetting *setting, Style)
{
    std::uint32_t n = 0;
    return nm_setting_option_get_uint32(setting, row.name, &n) ? std::to_string(n) : std::string{};
}

Result<void> set_fec(const Row &row, NMSetting *setting, Op, const char *value, const Surroundings &)
{
    if (!value) {
        nm_setting_option_set(setting, row.name, nullptr);
        return {};
    }
    const auto type = nm_setting_ethtool_fec_mode_get_type();
    int flags = 0;
    char *wrong = nullptr;
    const bool good = nm_utils_enum_from_str(type, value, &flags, &wrong);
    const Text word(wrong);
    if (!good)
        return bad(form(nm("'%s' is not valid FEC modes, valid modes are combinations of %s"), str(wrong).c_str(),
                        enum_words(type).c_str()));
    nm_setting_option_set_uint32(setting, row.name, static_cast<std::uint32_t>(flags));
    return {};
}

std::string get_fec(const Row &row, NMSetting *setting, Style style)
{
    std::uint32_t flags = 0;
    if (!nm_setting_option_get_uint32(setting, row.name, &flags)) return {};
    const Text words(nm_utils_enum_to_str(nm_setting_ethtool_fec_mode_get_type(), static_cast<int>(flags)));
    const auto text = str(words.get());
    return style == Style::pretty && !text.empty() ? nm(words.get()) : text;
}
} // namespace

const Kind feature{.set = set_feature, .get = get_feature};
const Kind ring{.set = set_amount, .get = get_amount};
const Kind fec{.set = set_fec, .get = get_fec};

} // namespace kind

namespace
{
constexpr Row on_off(const char *name) { return {.name = name, .kind = &kind::feature, .hide_default = true}; }
constexpr Row amount(const char *name) { return {.name = name, .kind = &kind::ring, .hide_default = true}; }

const Row rows[] = {
    on_off("feature-esp-hw-offload"),
    on_off("feature-esp-tx-csum-hw-offload"),
    on_off("feature-fcoe-mtu"),
    on_off("feature-gro"),
    on_off("feature-gso"),
    on_off("feature-highdma"),
    on_off("feature-hw-tc-offload"),
    on_off("feature-l2-fwd-offload"),
    on_off("feature-loopback"),
    on_off("feature-lro"),
    on_off("feature-macsec-hw-offload"),
    on_off("feature-ntuple"),
    on_off("feature-rx"),
    on_off("feature-rxhash"),
    on_off("feature-rxvlan"),
    on_off("feature-rx-all"),
    on_off("feature-rx-fcs"),
    on_off("feature-rx-gro-hw"),
    on_off("feature-rx-gro-list"),
    on_off("feature-rx-udp-gro-forwarding"),
    on_off("feature-rx-udp_tunnel-port-offload"),
    on_off("feature-rx-vlan-filter"),
    on_off("feature-rx-vlan-stag-filter"),
    on_off("feature-rx-vlan-stag-hw-parse"),
    on_off("feature-sg"),
    on_off("feature-tls-hw-record"),
    on_off("feature-tls-hw-rx-offload"),
    on_off("feature-tls-hw-tx-offload"),
    on_off("feature-tso"),
    on_off("feature-tx"),
    on_off("feature-txvlan"),
    on_off("feature-tx-checksum-fcoe-crc"),
    on_off("feature-tx-checksum-ipv4"),
    on_off("feature-tx-checksum-ipv6"),
    on_off("feature-tx-checksum-ip-generic"),
    on_off("feature-tx-checksum-sctp"),
    on_off("feature-tx-esp-segmentation"),
    on_off("feature-tx-fcoe-segmentation"),
    on_off("feature-tx-gre-csum-segmentation"),
    on_off("feature-tx-gre-segmentation"),
    on_off("feature-tx-gso-list"),
    on_off("feature-tx-gso-partial"),
    on_off("feature-tx-gso-robust"),
    on_off("feature-tx-ipxip4-segmentation"),
    on_off("feature-tx-ipxip6-segmentation"),
    on_off("feature-tx-nocache-copy"),
    on_off("feature-tx-scatter-gather"),
    on_off("feature-tx-scatter-gather-fraglist"),
    on_off("feature-tx-sctp-segmentation"),
    on_off("feature-tx-tcp6-segmentation"),
    on_off("feature-tx-tcp-ecn-segmentation"),
    on_off("feature-tx-tcp-mangleid-segmentation"),
    on_off("feature-tx-tcp-segmentation"),
    on_off("feature-tx-tunnel-remcsum-segmentation"),
    on_off("feature-tx-udp-segmentation"),
    on_off("feature-tx-udp_tnl-csum-segmentation"),
    on_off("feature-tx-udp_tnl-segmentation"),
    on_off("feature-tx-vlan-stag-hw-insert"),
    amount("coalesce-adaptive-rx"),
    amount("coalesce-adaptive-tx"),
    amount("coalesce-pkt-rate-high"),
    amount("coalesce-pkt-rate-low"),
    amount("coalesce-rx-frames"),
    amount("coalesce-rx-frames-irq"),
    amount("coalesce-rx-frames-high"),
    amount("coalesce-rx-frames-low"),
    amount("coalesce-rx-usecs"),
    amount("coalesce-rx-usecs-irq"),
    amount("coalesce-rx-usecs-high"),
    amount("coalesce-rx-usecs-low"),
    amount("coalesce-sample-interval"),
    amount("coalesce-stats-block-usecs"),
    amount("coalesce-tx-frames"),
    amount("coalesce-tx-frames-irq"),
    amount("coalesce-tx-frames-high"),
    amount("coalesce-tx-frames-low"),
    amount("coalesce-tx-usecs"),
    amount("coalesce-tx-usecs-irq"),
    amount("coalesce-tx-usecs-high"),
    amount("coalesce-tx-usecs-low"),
    {.name = "pause-autoneg", .kind = &kind::feature},
    {.name = "pause-rx", .kind = &kind::feature},
    {.name = "pause-tx", .kind = &kind::feature},
    newer(46, on_off("eee-enabled")),
    amount("ring-rx"),
    amount("ring-rx-jumbo"),
    amount("ring-rx-mini"),
    amount("ring-tx"),
    newer(46, amount("channels-rx")),
    newer(46, amount("channels-tx")),
    newer(46, amount("channels-other")),
    newer(46, amount("channels-combined")),
    newer(52, {.name = "fec-mode", .kind = &kind::fec}),
};
} // namespace

const Group ethtool_group{"ethtool", "Ethtool settings", nm_setting_ethtool_get_type, rows};

} // namespace nmib::cli
