// SPDX-License-Identifier: LGPL-2.1-or-later
/// Addresses, virtual functions, queueing disciplines and filters, each as a list of objects.
#include "cli/base/gobject.hpp"
#include "cli/kinds.hpp"
#include "cli/list.hpp"

namespace nmib::cli::kind
{

namespace
{
using Address = std::unique_ptr<NMIPAddress, Freer<nm_ip_address_unref>>;
using Vf = std::unique_ptr<NMSriovVF, Freer<nm_sriov_vf_unref>>;
using Qdisc = std::unique_ptr<NMTCQdisc, Freer<nm_tc_qdisc_unref>>;
using Tfilter = std::unique_ptr<NMTCTfilter, Freer<nm_tc_tfilter_unref>>;

std::string address_text(NMSetting *setting, std::size_t i, Style)
{
    auto *a = nm_setting_ip_config_get_address(NM_SETTING_IP_CONFIG(setting), static_cast<int>(i));
    return form("%s/%u", nm_ip_address_get_address(a), nm_ip_address_get_prefix(a));
}

Result<void> put_address(NMSetting *setting, bool add, const std::string &item)
{
    const int family = NM_IS_SETTING_IP4_CONFIG(setting) ? AF_INET : AF_INET6;
    const int max = family == AF_INET ? 32 : 128;
    const auto slash = item.find('/');
    std::int64_t prefix = max;
    if (slash != std::string::npos) {
        const auto text = item.substr(slash + 1);
        const auto n = to_number<std::int64_t>(text, 10, 0, max);
        if (!n) return bad(form(nm("invalid prefix '%s'; <0-%d> allowed"), text.c_str(), max));
        prefix = *n;
    }
    GErrorSlot error;
    const Address a(nm_ip_address_new(family, item.substr(0, slash).c_str(), static_cast<unsigned>(prefix), error));
    if (!a) return bad(form(nm("invalid IP address: %s"), error.message().c_str()));
    auto *ip = NM_SETTING_IP_CONFIG(setting);
    add ? nm_setting_ip_config_add_address(ip, a.get()) : nm_setting_ip_config_remove_address_by_value(ip, a.get());
    return {};
}

std::string vf_text(NMSetting *setting, std::size_t i, Style)
{
    return str(Text(nm_utils_sriov_vf_to_str(
                        nm_setting_sriov_get_vf(NM_SETTING_SRIOV(setting), static_cast<unsigned>(i)), FALSE, nullptr))
                   .get());
}

Result<void> put_vf(NMSetting *setting, bool add, const std::string &item)
{
    GErrorSlot error;
    const Vf vf(nm_utils_sriov_vf_from_str(item.c_str(), error));
    if (!vf)
        return bad(error.message() + ". " +
                   nm("The valid syntax is: vf [attribute=value]... [,vf [attribute=value]...]"));
    auto *sriov = NM_SETTING_SRIOV(setting);
    add ? nm_setting_sriov_add_vf(sriov, vf.get())
        : (void)nm_setting_sriov_remove_vf_by_index(sriov, nm_sriov_vf_get_index(vf.get()));
    return {};
}

constexpr const char *tc_syntax = "The valid syntax is: '[root | parent <handle>] [handle <handle>] <kind>'";

template<class Owner, auto From, auto Add, auto Remove>
Result<void> put_tc(NMSetting *setting, bool add, const std::string &item)
{
    GErrorSlot error;
    const Owner object(From(item.c_str(), error));
    if (!object) return bad(error.message() + ". " + nm(tc_syntax));
    add ? (void)call<Add>(setting, object.get()) : (void)call<Remove>(setting, object.get());
    return {};
}

template<auto Get, auto ToText> std::string tc_text(NMSetting *setting, std::size_t i, Style)
{
    return str(Text(ToText(call<Get>(setting, i), nullptr)).get());
}

template<auto Count, auto Clear, auto RemoveIndex> constexpr ObjectOps basic()
{
    return {.count = [](NMSetting *s) -> std::size_t { return call<Count>(s); },
            .clear = [](NMSetting *s) { call<Clear>(s); },
            .text = nullptr,
            .put = nullptr,
            .remove_index = [](NMSetting *s, std::size_t i) { call<RemoveIndex>(s, i); }};
}

constexpr ObjectOps with(ObjectOps ops, decltype(ops.text) text, decltype(ops.put) put)
{
    ops.text = text;
    ops.put = put;
    return ops;
}
} // namespace

const ObjectOps addresses = with(basic<nm_setting_ip_config_get_num_addresses, nm_setting_ip_config_clear_addresses,
                                       nm_setting_ip_config_remove_address>(),
                                 address_text, put_address);
const ObjectOps vfs{.count = [](NMSetting *s) -> std::size_t { return call<nm_setting_sriov_get_num_vfs>(s); },
                    .clear = [](NMSetting *s) { call<nm_setting_sriov_clear_vfs>(s); },
                    .text = vf_text,
                    .put = put_vf};
const ObjectOps qdiscs = with(
    basic<nm_setting_tc_config_get_num_qdiscs, nm_setting_tc_config_clear_qdiscs, nm_setting_tc_config_remove_qdisc>(),
    tc_text<nm_setting_tc_config_get_qdisc, nm_utils_tc_qdisc_to_str>,
    put_tc<Qdisc, nm_utils_tc_qdisc_from_str, nm_setting_tc_config_add_qdisc,
           nm_setting_tc_config_remove_qdisc_by_value>);
const ObjectOps tfilters = with(basic<nm_setting_tc_config_get_num_tfilters, nm_setting_tc_config_clear_tfilters,
                                      nm_setting_tc_config_remove_tfilter>(),
                                tc_text<nm_setting_tc_config_get_tfilter, nm_utils_tc_tfilter_to_str>,
                                put_tc<Tfilter, nm_utils_tc_tfilter_from_str, nm_setting_tc_config_add_tfilter,
                                       nm_setting_tc_config_remove_tfilter_by_value>);

} // namespace nmib::cli::kind
