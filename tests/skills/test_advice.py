"""Advice on descriptions: silent on good ones, right on poor ones (spec/advice.py)."""

from __future__ import annotations

import pytest

from prowess.spec.advice import advise
from prowess.spec.diagnostics import Reach
from prowess.spec.model import Skill

GOOD = [
    "Extracts text and tables from PDF files and fills forms. Use when the user mentions PDFs.",
    "Writes the weekly invoice summary for an ISO week. Use when someone asks which are overdue.",
    "Reviews pull requests for security faults. Use before merging code that handles credentials.",
    "Guide for building MCP servers in Python. Use when adding a tool, a resource or a prompt to a server.",
    "Formats SQL queries to the house style; use it on any .sql file or when asked to tidy a query.",
    'Plans a database migration. Triggers: "I want to add a column", "rename a table", "split this schema".',
    "Toolkit for testing local web applications with Playwright. Supports screenshots; use to debug a page.",
    "Converts spreadsheets to charts. For questions about .xlsx files, pivot tables or quarterly numbers.",
    "Diagnoses a failing GitHub Actions run from its log. Apply whenever CI is red and the cause is unclear.",
    "Draft release notes from merged commits. Use this skill if the user asks for a changelog entry.",
    "Kubernetes manifests: writes and checks Deployments. Use when YAML for a cluster is needed.",
    "Creates slides from an outline, with speaker notes. Invoke when a deck or presentation is requested.",
    "PDF form filling and field extraction. Use when a form has to be completed from structured data.",
    "Explains I/O bottlenecks in a Linux system from iostat output. Use when a disk seems slow.",
    "The pytest fixtures of this repository: how to write, share and scope them. Use before adding a test.",
    "Resolve merge conflicts in lock files. Must be used after a rebase touches package-lock.json.",
    "从 PDF 文件中提取文字和表格，填写表单，合并文档。当用户提到 PDF 或表单时使用。",
    "生成每周发票汇总，列出逾期未付的发票。用户询问某一周的账单情况时使用。",
    "检查拉取请求中的安全问题，适用于处理凭据或用户输入的代码。",
    "把 Excel 数据转换成图表。用于分析季度数据、数据透视表和销售报表的场景。",
    "排查 Kubernetes 集群中 Pod 启动失败的原因，例如镜像拉取失败。当部署卡住时调用。",
    "翻译技术文档并保留术语表中的译名。如果要求中英互译，请使用本技能。",
    "编写数据库迁移脚本；在需要新增字段、改表名或拆分表结构之前使用。",
    "Extrait le texte des fichiers PDF et remplit les formulaires pour les équipes de comptabilité.",
    "Erstellt Rechnungen und Mahnungen für offene Posten mit den Daten aus der Buchhaltung.",
    "請求書の週次サマリーを作成し、期限切れの請求書を一覧にします。請求書について聞かれたときに使います。",
]

POOR = [
    ("Helps with documents.", "advice-description-vague"),
    ("A useful skill.", "advice-description-vague"),
    ("PDF tool", "advice-description-vague"),
    ("Does various things with files when you need it.", "advice-description-vague"),
    ("A helper for many tasks and other stuff.", "advice-description-vague"),
    ("Use when needed.", "advice-description-vague"),
    ("处理文件。", "advice-description-vague"),
    ("万能助手，帮你完成各种任务。", "advice-description-vague"),
    (
        "I can help you extract tables from PDF files. Use when the user has a PDF.",
        "advice-description-slogan",
    ),
    ("We make invoices painless! Use when an invoice is mentioned.", "advice-description-slogan"),
    ("Let me write your release notes when you ask for a changelog.", "advice-description-slogan"),
    ("The ultimate PDF toolkit for extracting tables; use when PDFs appear.", "advice-description-slogan"),
    (
        "Supercharge your spreadsheets with charts and pivot tables whenever asked.",
        "advice-description-slogan",
    ),
    ("A world-class reviewer of pull requests. Use before merging.", "advice-description-slogan"),
    ("我可以帮你提取 PDF 中的表格和文字，当你需要处理表单时使用。", "advice-description-slogan"),
    ("图表神器：把表格数据转换成图表，当用户需要可视化时使用。", "advice-description-slogan"),
    ("sample-skill: extracts tables from PDF files. Use when PDFs are mentioned.", "advice-description-name"),
    ("Sample Skill v1.2.0 - extracts tables from PDF files when asked.", "advice-description-name"),
    ("The sample-skill skill extracts tables from PDF files when asked.", "advice-description-name"),
    ("Extracts tables from PDF files (version 1.2.0). Use when asked for tables.", "advice-description-name"),
    ("Use when the user wants to pull tables out of PDF files.", "advice-description-what"),
    ("Use this skill whenever an invoice, a bill or a payment is mentioned.", "advice-description-what"),
    ("当用户需要从 PDF 文件中提取表格时使用。", "advice-description-what"),
    ("Extracts text and tables from PDF files and merges documents.", "advice-description-when"),
    ("Formats SQL queries to the house style with sqlfmt.", "advice-description-when"),
    ("从 PDF 文件中提取文字和表格，并合并多个文档。", "advice-description-when"),
    ("生成每周发票汇总，实时列出逾期未付的发票。", "advice-description-when"),
]


def sample(description: str) -> Skill:
    path = "skills/sample-skill/SKILL.md"
    return Skill(name="sample-skill", description=description, path=path, metadata={"version": "1.2.0"})


@pytest.mark.parametrize("description", GOOD)
def test_a_good_description_gets_no_advice(description: str) -> None:
    assert advise(sample(description)) == ()


@pytest.mark.parametrize(("description", "rule"), POOR)
def test_a_poor_description_gets_the_advice_it_needs(description: str, rule: str) -> None:
    assert [found.rule for found in advise(sample(description))] == [rule]


def test_advice_skips_nothing_and_says_where_and_how() -> None:
    (found,) = advise(sample("Helps with documents."))
    assert found.reach is Reach.ADVICE
    assert found.place.file == "skills/sample-skill/SKILL.md"
    assert found.hint
    assert not found.subject


def test_a_quoted_request_is_not_the_authors_own_voice() -> None:
    said = 'Plans a migration. Use for "We need a new column." and "Let me rename a table." requests.'
    assert advise(sample(said)) == ()


def test_a_name_that_opens_an_ordinary_sentence_is_no_repetition() -> None:
    skill = Skill(
        name="docker-compose",
        description="Docker Compose files are written and checked here. Use when one is mentioned.",
        path="skills/docker-compose/SKILL.md",
    )
    assert advise(skill) == ()


def test_a_products_name_in_words_of_its_own_may_open_the_description() -> None:
    said = "Sample Skill — scaffolds and deploys samples of code. Use when a sample is asked for."
    assert advise(sample(said)) == ()


def test_another_version_than_its_own_may_be_named() -> None:
    said = "Moves a code base to Python version 3.12.0. Use when an upgrade is asked for."
    assert advise(sample(said)) == ()
