from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.choose.stop_words import STOP_WORDS
from prowess.choose.tokens import LONGEST, LONGEST_TERM, pairs, terms, terms_with_words, weak_terms


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("query_invoices", ("queryinvoices", "queri", "invoic")),
        ("queryInvoices", ("queryinvoices", "queri", "invoic")),
        ("query-invoices", ("queryinvoices", "queri", "invoic")),
        ("HTTPServer2", ("httpserver2", "http", "server", "2")),
        ("GPT-4o", ("gpt4o", "gpt", "4", "o")),
        ("agent.json", ("agentjson", "agent", "json")),
        ("v1.2.3", ("v123", "v", "1", "2", "3")),
        (".xaml/.cs", ("xaml", "cs")),
        ("C++ and C# or f#", ("cplusplus", "csharp", "fsharp")),
        ("abc# x++", ("abc", "x")),
        ("__init__", ("init",)),
        ("2026-31", ("202631", "2026", "31")),
    ],
)
def test_an_identifier_is_kept_whole_and_taken_apart(text: str, wanted: tuple[str, ...]) -> None:
    assert terms(text) == wanted


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("invoices", "invoicing"),
        ("INVOICE", "invoice"),
        ("naïve café", "naive cafe"),
        ("cafe\u0301", "café"),
        ("Straße", "STRASSE"),
        ("ﬁle ｆｕｌｌ", "file full"),
        ("Łódź Øresund", "lodz oresund"),
        ("İstanbul", "istanbul"),
        ("Ёлка", "елка"),
        ("Αθήνα", "ΑΘΗΝΑ"),
        ("أحمد", "احمد"),
        ("الفاتورة", "فاتوره"),
        ("كِتَاب", "كتاب"),
        ("שָׁלוֹם", "שלום"),
        ("٢٠٢٦", "2026"),
        ("ﾃﾞｰﾀ", "データ"),
        ("in\u00advoice", "invoice"),
        ("user’s", "user's"),
    ],
)
def test_what_people_take_for_one_word_is_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other) != ()


@pytest.mark.parametrize(("one", "other"), [("й", "и"), ("が", "か"), ("कि", "की"), ("한글", "한국")])
def test_marks_that_make_another_letter_are_kept(one: str, other: str) -> None:
    assert terms(one) != terms(other)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("未付請求書", ("未付", "付請", "請求", "求書")),
        ("票", ("票",)),
        ("発票を作成", ("発票", "票を", "を作", "作成")),
        ("データ分析", ("デー", "ータ", "タ分", "分析")),
        ("일정을 잡아줘", ("일정", "정을", "잡아", "아줘")),
        ("用GPT-4o分析PDF", ("用", "gpt4o", "gpt", "4", "o", "分析", "pdf")),
        ("𠮷野家", ("𠮷野", "野家")),
        ("กบ", ("กบ",)),
        ("ค้างชำ", ("ค้าง", "างช\u0e4d", "งช\u0e4dา")),
    ],
)
def test_scripts_without_spaces_become_neighbouring_characters(text: str, wanted: tuple[str, ...]) -> None:
    assert terms(text) == wanted


def test_devanagari_keeps_its_vowel_signs() -> None:
    assert terms("हिन्दी में चालान") == ("हिन्दी", "में", "चालान")


def test_words_that_say_nothing_are_left_out_and_words_of_a_task_are_not() -> None:
    assert terms("Could you please do this for me? It isn't what I would do.") == ("pleas",)
    assert terms("find and make a file") == ("find", "make", "file")


def test_neighbours_make_a_pair_and_grams_make_none() -> None:
    def of(text: str) -> list[str]:
        return [each.word for each in pairs(terms_with_words(text))]

    assert of("the unpaid invoices of June") == ["unpaid invoices", "invoices june"]
    assert of("未付請求書 unpaid invoices") == ["unpaid invoices"]
    assert of("") == []
    assert not {each.text for each in pairs(terms_with_words("unpaid invoices"))} & set(
        terms("unpaid invoices")
    )


def test_words_that_any_request_is_phrased_with_are_terms_and_known_as_weak() -> None:
    assert set(terms("I want the latest information")) <= weak_terms()
    assert not set(terms("search create file invoice")) & weak_terms()
    assert not weak_terms() & STOP_WORDS
    assert "" not in weak_terms()


def test_a_mark_alone_is_no_term() -> None:
    assert terms("\u064b \u0301 !? ___ ... \u05b0-\u05b0 \u0301-\u0301") == ()


def test_a_long_text_and_a_long_word_are_cut() -> None:
    assert len(terms("word " * LONGEST)) == LONGEST // 5
    assert terms("x" * 1_000) == ("x" * LONGEST_TERM,)


def test_a_term_comes_with_the_word_it_stands_for() -> None:
    assert list(terms_with_words("Unpaid queryInvoices C++ 請求")) == [
        ("unpaid", "unpaid"),
        ("queryinvoices", "queryinvoices"),
        ("queri", "query"),
        ("invoic", "invoices"),
        ("cplusplus", "c++"),
        ("請求", "請求"),
    ]


any_text = st.text(max_size=200) | st.text(
    alphabet=st.sampled_from(list("aB1_-. 'é漢かナ한กำिعא\u0301\u200d\ud800#+\n")), max_size=80
)


@given(any_text)
def test_any_text_is_terms_that_are_bounded_and_safe_to_store(text: str) -> None:
    found = terms(text)
    assert len(found) <= 2 * len(unicodedata.normalize("NFKC", text))
    for term in found:
        assert 0 < len(term) <= LONGEST_TERM
        # What a store parts terms by is in none of them: a space, or an ASCII mark.
        assert not re.search(r"[\x00-/:-@\[-`{-\x7f]|[A-Z]", term)
        assert term.split() == [term]
        term.encode()


@given(any_text)
def test_terms_do_not_depend_on_case_folding_or_composition_that_was_done_before(text: str) -> None:
    plain = terms(text)
    assert terms(text) == plain
    assert terms(unicodedata.normalize("NFC", text)) == plain


@given(st.lists(st.sampled_from(["query", "Invoice", "票据", "รายการ", "x2"]), max_size=8))
def test_terms_of_a_text_are_those_of_its_words(words: list[str]) -> None:
    assert terms(" ".join(words)) == tuple(term for word in words for term in terms(word))
