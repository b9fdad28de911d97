"""What collcost.h declares; build-aux/write-binding makes this file of it."""

from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_double, c_int,
                    c_int64, c_size_t, c_uint, c_void_p)

VERSION = "0.1.0"

COLLCOST_FINE = 0
COLLCOST_CHECK_FAILED = 1
COLLCOST_BAD_INPUT = 2
COLLCOST_NO_MEMORY = 3
COLLCOST_CANCELLED = 4
COLLCOST_TOO_LARGE = 5

COLLCOST_ERROR = 0
COLLCOST_WARNING = 1
COLLCOST_NOTE = 2

class collcost_diagnostic(Structure):
    _fields_ = [
        ("severity", c_int),
        ("message", c_char_p),
        ("source", c_char_p),
        ("line", c_size_t),
        ("column", c_size_t),
        ("text", c_char_p),
        ("text_length", c_size_t),
        ("caret", c_size_t),
        ("caret_length", c_size_t),
    ]


class collcost_settings(Structure):
    _fields_ = [
        ("diagnostic", CFUNCTYPE(None, c_void_p, POINTER(collcost_diagnostic))),
        ("progress", CFUNCTYPE(None, c_void_p, c_char_p, c_int64, c_int64)),
        ("allocate", CFUNCTYPE(c_void_p, c_void_p, c_size_t, c_size_t)),
        ("release", CFUNCTYPE(None, c_void_p, c_void_p)),
        ("user", c_void_p),
        ("models", POINTER(c_char_p)),
        ("model_count", c_size_t),
        ("memory_limit", c_size_t),
        ("network", CFUNCTYPE(None, c_void_p, c_char_p, POINTER(c_char_p))),
    ]


COLLCOST_DETAILS = 1
COLLCOST_CHECKED = 2
COLLCOST_QUIET = 4
COLLCOST_FLOW = 8
COLLCOST_BREAK_EVENS = 16

class collcost_left_out(Structure):
    _fields_ = [
        ("algorithm", c_char_p),
        ("reason", c_char_p),
    ]


COLLCOST_VERIFIED = 0
COLLCOST_WRONG = 1
COLLCOST_NOT_VERIFIED = 2
COLLCOST_VERIFIED_SMALLER = 3

class collcost_branches(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("value", c_int64),
    ]


class collcost_cost(Structure):
    _fields_ = [
        ("algorithm", c_char_p),
        ("has_chunks", c_bool),
        ("k", c_double),
        ("branches", collcost_branches),
        ("tried", POINTER(c_int64)),
        ("tried_count", c_size_t),
        ("rounds", c_int64),
        ("startup_s", c_double),
        ("hop_s", c_double),
        ("transfer_s", c_double),
        ("compute_s", c_double),
        ("total_s", c_double),
        ("from_closed_form", c_bool),
        ("peak_bytes", c_double),
        ("bound_s", c_double),
        ("is_optimal", c_bool),
        ("optimal_in", c_char_p * 4),
        ("optimal_in_count", c_size_t),
        ("check", c_int),
        ("stages", c_char_p),
    ]


class collcost_traffic(Structure):
    _fields_ = [
        ("algorithm", c_char_p),
        ("has_chunks", c_bool),
        ("k", c_double),
        ("branches", collcost_branches),
        ("total_s", c_double),
        ("links", c_char_p),
        ("along_dimension", c_bool),
        ("link_count", c_int64),
        ("bytes", c_double),
        ("least_bytes", c_double),
        ("busiest_bytes", c_double),
        ("least_busiest_bytes", c_double),
        ("stages", c_char_p),
    ]


class collcost_symbols(Structure):
    _fields_ = [
        ("algorithm", c_char_p),
        ("has_chunks", c_bool),
        ("k", c_int64),
        ("branches", collcost_branches),
        ("rounds", c_int64),
        ("formula", c_char_p),
        ("from_closed_form", c_bool),
        ("closed_form", c_char_p),
        ("check", c_int),
        ("stages", c_char_p),
    ]


class collcost_bound(Structure):
    _fields_ = [
        ("kind", c_char_p),
        ("formula", c_char_p),
        ("closed_form", c_char_p),
        ("reason", c_char_p),
        ("seconds", c_double),
        ("binds", c_bool),
        ("may_be_loose", c_bool),
    ]


class collcost_piece(Structure):
    _fields_ = [
        ("from_bytes", c_double),
        ("to_bytes", c_double),
        ("algorithm", c_char_p),
        ("has_chunks", c_bool),
        ("from_k", c_double),
        ("branches", collcost_branches),
        ("total_at_from_s", c_double),
        ("to_k", c_double),
        ("to_branches", c_int64),
        ("total_at_to_s", c_double),
        ("tied", POINTER(c_char_p)),
        ("tied_count", c_size_t),
        ("second", c_char_p),
        ("second_slower_by", c_double),
        ("second_slower_at_bytes", c_double),
        ("slower_by", c_double),
        ("stages", c_char_p),
    ]


class collcost_moved(Structure):
    _fields_ = [
        ("before", c_char_p),
        ("after", c_char_p),
        ("bytes", c_double),
        ("less_bytes", c_double),
        ("more_bytes", c_double),
    ]


COLLCOST_CHANGES_NOTHING = 0
COLLCOST_CHANGES_SIZES = 1
COLLCOST_CHANGES_FASTEST = 2

class collcost_convention(Structure):
    _fields_ = [
        ("rule", c_char_p),
        ("choice", c_char_p),
        ("rules", c_char_p),
        ("is_followed", c_bool),
        ("change", c_int),
        ("pieces", POINTER(collcost_piece)),
        ("piece_count", c_size_t),
        ("reason", c_char_p),
    ]


class collcost_rank_row(Structure):
    _fields_ = [
        ("algorithm", c_char_p),
        ("has_chunks", c_bool),
        ("from_p", c_int64),
        ("to_p", c_int64),
        ("covers", POINTER(c_int64)),
        ("cover_count", c_size_t),
        ("from_k", c_double),
        ("to_k", c_double),
        ("branches", collcost_branches),
        ("to_branches", c_int64),
        ("total_at_from_s", c_double),
        ("total_at_to_s", c_double),
        ("tied", POINTER(c_char_p)),
        ("tied_count", c_size_t),
        ("second", c_char_p),
        ("second_slower_by", c_double),
        ("second_slower_at_p", c_int64),
    ]


COLLCOST_STARTUP = 0
COLLCOST_HOP = 1
COLLCOST_TRANSFER = 2
COLLCOST_CONTENTION = 3
COLLCOST_COMPUTE = 4
COLLCOST_TOTAL = 5
COLLCOST_PART_COUNT = 6

class collcost_round(Structure):
    _fields_ = [
        ("number", c_int64),
        ("seconds", c_double),
        ("from", c_int64),
        ("to", c_int64),
        ("bytes", c_double),
        ("has_link", c_bool),
        ("link_from", c_int64),
        ("link_to", c_int64),
        ("messages", c_int64),
        ("load", c_double),
    ]


class collcost_rounds(Structure):
    _fields_ = [
        ("first_difference", collcost_round),
        ("slowest", collcost_round),
        ("most_contended", collcost_round),
    ]


class collcost_message(Structure):
    _fields_ = [
        ("round", c_int64),
        ("from", c_int64),
        ("to", c_int64),
        ("bytes", c_double),
        ("start_s", c_double),
        ("end_s", c_double),
        ("contention_s", c_double),
        ("waits_at", c_int64),
    ]


class collcost_side(Structure):
    _fields_ = [
        ("algorithm", c_char_p),
        ("has_chunks", c_bool),
        ("k", c_double),
        ("branches", collcost_branches),
        ("rounds", c_int64),
        ("from_closed_form", c_bool),
        ("seconds", c_double * COLLCOST_PART_COUNT),
        ("of_note", collcost_rounds),
    ]


class collcost_crossing(Structure):
    _fields_ = [
        ("is_found", c_bool),
        ("is_open", c_bool),
        ("value", c_double),
        ("factor", c_double),
        ("faster", c_int),
    ]


class collcost_break_even(Structure):
    _fields_ = [
        ("parameter", c_char_p),
        ("unit", c_char_p),
        ("least", c_double),
        ("most", c_double),
        ("below", collcost_crossing),
        ("above", collcost_crossing),
    ]


class collcost_explanation(Structure):
    _fields_ = [
        ("bytes", c_double),
        ("sides", collcost_side * 2),
        ("more", c_double * COLLCOST_PART_COUNT),
        ("order", c_int),
        ("has_rounds", c_bool),
        ("break_evens", POINTER(collcost_break_even)),
        ("break_even_count", c_size_t),
        ("critical_paths", POINTER(collcost_message) * 2),
        ("critical_counts", c_size_t * 2),
    ]


class collcost_growth(Structure):
    _fields_ = [
        ("power", c_double),
        ("from_p", c_double),
        ("to_p", c_double),
        ("order", c_char_p),
    ]


class collcost_product(Structure):
    _fields_ = [
        ("algorithm", c_char_p),
        ("network", c_char_p),
        ("rules", c_char_p),
        ("n", c_int64),
        ("p", c_int64),
        ("rounds", c_int64),
        ("startup_s", c_double),
        ("hop_s", c_double),
        ("transfer_s", c_double),
        ("compute_s", c_double),
        ("total_s", c_double),
        ("from_closed_form", c_bool),
        ("speedup", c_double),
        ("efficiency", c_double),
        ("cost_s", c_double),
        ("overhead_s", c_double),
        ("overhead_work", c_double),
        ("peak_bytes", c_double),
        ("peak_total_bytes", c_double),
        ("growth", collcost_growth),
    ]


class collcost_product_row(Structure):
    _fields_ = [
        ("algorithm", c_char_p),
        ("network", c_char_p),
        ("rules", c_char_p),
        ("p", c_int64),
        ("from", c_int64),
        ("to", c_int64),
        ("total_at_from_s", c_double),
        ("total_at_to_s", c_double),
    ]


class collcost_task(Structure):
    _fields_ = [
        ("models", POINTER(c_char_p)),
        ("model_count", c_size_t),
        ("is_exact", c_bool),
        ("ranks", POINTER(c_int64)),
        ("rank_count", c_size_t),
        ("most", c_int64),
        ("topologies", POINTER(c_char_p)),
        ("topology_count", c_size_t),
        ("warns", c_bool),
    ]


class collcost_run(Structure):
    _fields_ = [
        ("model", c_char_p),
        ("grid", c_char_p),
        ("p", c_int64),
        ("root", c_int64),
        ("is_right", c_bool),
        ("detail", c_char_p),
    ]


class collcost_claim(Structure):
    _fields_ = [
        ("model", c_char_p),
        ("source", c_char_p),
        ("on", POINTER(c_char_p)),
        ("on_count", c_size_t),
        ("holds", c_bool),
        ("recorded", c_bool),
        ("counterexample", c_char_p),
        ("verdict", c_char_p),
    ]


class collcost_verified(Structure):
    _fields_ = [
        ("model", c_char_p),
        ("runs", c_int64),
        ("wrong_runs", c_int64),
        ("hold", c_int64),
        ("refuted", c_int64),
        ("compared", c_int64),
    ]


class collcost_verification(Structure):
    _fields_ = [
        ("runs", POINTER(collcost_run)),
        ("run_count", c_size_t),
        ("claims", POINTER(collcost_claim)),
        ("claim_count", c_size_t),
        ("models", POINTER(collcost_verified)),
        ("model_count", c_size_t),
        ("passed", c_int64),
        ("failed", c_int64),
    ]


FUNCTIONS = {
    "collcost_version": (c_char_p, []),
    "collcost_open": (c_int, [POINTER(collcost_settings), POINTER(c_void_p)]),
    "collcost_close": (None, [c_void_p]),
    "collcost_cancel": (None, [c_void_p]),
    "collcost_study_create": (c_int, [c_void_p, POINTER(c_void_p)]),
    "collcost_study_free": (None, [c_void_p]),
    "collcost_study_set": (c_int, [c_void_p, c_char_p, c_char_p]),
    "collcost_study_rules": (c_int, [c_void_p, POINTER(c_char_p)]),
    "collcost_study_machine": (c_void_p, [c_void_p]),
    "collcost_case_open": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(c_void_p)]),
    "collcost_case_collective": (c_char_p, [c_void_p]),
    "collcost_case_ranks": (c_int64, [c_void_p]),
    "collcost_case_network": (c_char_p, [c_void_p]),
    "collcost_case_largest_size": (c_double, [c_void_p]),
    "collcost_case_rules": (c_int, [c_void_p, POINTER(c_char_p)]),
    "collcost_case_left_out": (c_int, [c_void_p, POINTER(POINTER(collcost_left_out)), POINTER(c_size_t)]),
    "collcost_case_costs": (c_int, [c_void_p, c_double, POINTER(POINTER(collcost_cost)), POINTER(c_size_t)]),
    "collcost_case_front": (c_int, [c_void_p, c_double, POINTER(POINTER(collcost_cost)), POINTER(c_size_t)]),
    "collcost_case_best": (c_int, [c_void_p, c_double, POINTER(POINTER(collcost_cost))]),
    "collcost_times_create": (c_int, [c_void_p, POINTER(c_double), c_size_t, POINTER(c_void_p)]),
    "collcost_times_free": (None, [c_void_p]),
    "collcost_times_on": (c_int, [c_void_p, c_void_p, POINTER(c_bool), POINTER(c_double)]),
    "collcost_case_traffic": (c_int, [c_void_p, c_double, POINTER(POINTER(collcost_traffic)), POINTER(c_size_t)]),
    "collcost_case_symbols": (c_int, [c_void_p, POINTER(POINTER(collcost_symbols)), POINTER(c_size_t)]),
    "collcost_case_bounds": (c_int, [c_void_p, c_double, c_uint, POINTER(POINTER(collcost_bound)), POINTER(c_size_t)]),
    "collcost_has_flow": (c_bool, []),
    "collcost_case_switch_points": (c_int, [c_void_p, c_double, c_double, c_double, c_uint, POINTER(POINTER(collcost_piece)), POINTER(c_size_t)]),
    "collcost_case_vary": (c_int, [c_void_p, c_char_p, c_double, c_double, c_double, c_double, POINTER(POINTER(collcost_moved)), POINTER(c_size_t)]),
    "collcost_case_vary_between": (c_int, [c_void_p, c_char_p, c_double, c_double, c_double, c_double, c_double, POINTER(POINTER(collcost_moved)), POINTER(c_size_t)]),
    "collcost_case_conventions": (c_int, [c_void_p, c_double, c_double, c_double, POINTER(POINTER(collcost_convention)), POINTER(c_size_t)]),
    "collcost_sweep_create": (c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "collcost_sweep_add": (c_int, [c_void_p, c_void_p, c_double]),
    "collcost_sweep_rows": (c_int, [c_void_p, POINTER(POINTER(collcost_rank_row)), POINTER(c_size_t)]),
    "collcost_explain": (c_int, [c_void_p, c_void_p, c_double, c_uint, POINTER(POINTER(collcost_explanation))]),
    "collcost_products_open": (c_int, [c_void_p, c_char_p, POINTER(c_char_p), c_size_t, POINTER(c_void_p)]),
    "collcost_products_costs": (c_int, [c_void_p, POINTER(c_int64), c_size_t, POINTER(POINTER(collcost_product)), POINTER(c_size_t)]),
    "collcost_products_scaling": (c_int, [c_void_p, POINTER(c_int64), c_size_t, POINTER(POINTER(collcost_product)), POINTER(c_size_t)]),
    "collcost_products_orders": (c_int, [c_void_p, c_double, POINTER(POINTER(collcost_product)), POINTER(c_size_t)]),
    "collcost_products_largest_ranks": (c_int, [c_void_p, POINTER(c_int64), c_size_t, c_double, POINTER(POINTER(collcost_product)), POINTER(c_size_t)]),
    "collcost_products_fastest": (POINTER(collcost_product), [POINTER(collcost_product), c_size_t, c_int64, c_int64]),
    "collcost_products_cost_optimal": (POINTER(collcost_product), [POINTER(collcost_product), c_size_t, c_int64, c_double]),
    "collcost_products_over_orders": (c_int, [c_void_p, c_int64, c_int64, POINTER(POINTER(collcost_product_row)), POINTER(c_size_t)]),
    "collcost_products_over_ranks": (c_int, [c_void_p, c_int64, POINTER(POINTER(collcost_product_row)), POINTER(c_size_t)]),
    "collcost_verify": (c_int, [c_void_p, POINTER(collcost_task), POINTER(collcost_verification)]),
}
