"""How questions are taken apart: the same way every time, and not at all where they have no parts."""

import pytest

from wekadocs_web.asking.decomposition import analyse


@pytest.mark.parametrize(
    ("question", "kind", "parts"),
    [
        ("What is the difference between TCP and UDP?", "comparison", ["TCP", "UDP"]),
        ("gradient boosting vs random forests", "comparison", ["gradient boosting", "random forests"]),
        ("PostgreSQL versus MySQL for analytics", "comparison", ["PostgreSQL for analytics", "MySQL for analytics"]),
        ("How does Rust differ from C++?", "comparison", ["Rust", "C++"]),
        ("TCP vs. UDP vs SCTP for games", "comparison", ["TCP for games", "UDP for games", "SCTP for games"]),
        ("How does Kafka compare to NATS in throughput?", "comparison", ["Kafka in throughput", "NATS in throughput"]),
        ("How do pods and services differ?", "comparison", ["pods", "services"]),
        ("What are the differences among list, tuple and set?", "comparison", ["list", "tuple", "set"]),
        ("Pros/cons of Rust", "comparison", ["advantages of Rust", "disadvantages of Rust"]),
        (
            "Which is better for small teams, Jira or Trello?",
            "comparison",
            ["Jira for small teams", "Trello for small teams"],
        ),
        ("¿Cuál es la diferencia entre TCP y UDP?", "comparison", ["TCP", "UDP"]),
        ("Was ist der Unterschied zwischen TCP und UDP?", "comparison", ["TCP", "UDP"]),
        (
            "How do I install nginx and when should I restart it?",
            "how_to",
            ["How do I install nginx", "when should I restart nginx"],
        ),
        ("Compare NFS with SMB", "comparison", ["NFS", "SMB"]),
        (
            "Compare how Linux and Windows handle file locks",
            "comparison",
            ["how Linux handle file locks", "how Windows handle file locks"],
        ),
        ("Should I use REST or GraphQL?", "comparison", ["REST", "GraphQL"]),
        ("Which is faster, Redis or Memcached?", "comparison", ["Redis", "Memcached"]),
        ("What are the differences between ext4, XFS and Btrfs?", "comparison", ["ext4", "XFS", "Btrfs"]),
        ("Kafka compared to RabbitMQ in throughput", "comparison", ["Kafka in throughput", "RabbitMQ in throughput"]),
        (
            "What are the pros and cons of microservices?",
            "comparison",
            ["advantages of microservices", "disadvantages of microservices"],
        ),
        (
            "advantages and disadvantages of solar power",
            "comparison",
            ["advantages of solar power", "disadvantages of solar power"],
        ),
        (
            "strengths and weaknesses of Python for games",
            "comparison",
            ["advantages of Python for games", "disadvantages of Python for games"],
        ),
        ("What's the diff between git merge and git rebase?", "comparison", ["git merge", "git rebase"]),
        (
            "How do I back up and restore a database?",
            "how_to",
            ["How do I back up a database", "How do I restore a database"],
        ),
        (
            "how to set up and tear down a cluster",
            "how_to",
            ["how to set up a cluster", "how to tear down a cluster"],
        ),
        (
            "What is the maximum and minimum size of a packet?",
            "factual",
            ["What is the maximum size of a packet", "What is the minimum size of a packet"],
        ),
        (
            "What are the primary and secondary ports for replication?",
            "exploratory",
            ["What are the primary ports for replication", "What are the secondary ports for replication"],
        ),
        ("What is a mutex and when should I use it?", "factual", ["What is a mutex", "when should I use mutex"]),
        ("How do I install nginx? How do I enable TLS?", "how_to", ["How do I install nginx", "How do I enable TLS"]),
        ("What is Raft, and how does it elect a leader?", "factual", ["What is Raft", "how does Raft elect a leader"]),
        (
            "install and configure nginx for production",
            "how_to",
            ["install nginx for production", "configure nginx for production"],
        ),
        (
            "How do I create and mount a filesystem?",
            "how_to",
            ["How do I create a filesystem", "How do I mount a filesystem"],
        ),
        ("costs and limits of the free plan", "factual", ["costs of the free plan", "limits of the free plan"]),
        (
            "Who wrote Hamlet; when was it first performed?",
            "factual",
            ["Who wrote Hamlet", "when was it first performed"],
        ),
        (
            "What material is the gasket, and at which pressure does the valve open?",
            "factual",
            ["What material is the gasket", "at which pressure does the valve open"],
        ),
        ("Who built the first widget?", "factual", []),
        ("What is the capital of Norway?", "factual", []),
        ("How do I calibrate the widget?", "how_to", []),
        ("What is research and development?", "factual", []),
        ("Tell me about rock and roll", "exploratory", []),
        ("Is it safe to mix salt and pepper?", "factual", []),
        ("?!?", "factual", []),
        ("How many people live in Trinidad and Tobago?", "factual", []),
    ],
)
def test_a_question_is_taken_apart_where_it_has_parts(question, kind, parts):
    found = analyse(question)
    assert (found.kind, list(found.sub_queries)) == (kind, parts or [question])


@pytest.mark.parametrize("intent", ["factual", "comparison", "how_to", "exploratory"])
def test_an_intent_goes_over_what_the_words_look_like(intent):
    assert analyse("How do I calibrate the widget?", intent).kind == intent
