"""Tools that answer in rounds (2026-07-28): what they need first, then the result."""

from __future__ import annotations

from wekadocs_mcp import Answer, Call, InputRequired, tool

from .blocks import says
from .questions import ROOTS, can_answer, elicitation, entered, input_required, response_to, said, sampling

STRING = {"type": "string"}
NAME = elicitation("What is your name?", {"name": STRING})
CONFIRM = elicitation("Please confirm", {"ok": {"type": "boolean"}})
STEP_1 = elicitation("Step 1: What is your name?", {"name": STRING})
STEP_2 = elicitation("Step 2: What is your favorite color?", {"color": STRING})
CAPITAL = sampling("What is the capital of France?")


@tool("test_input_required_result_elicitation")
async def one_form(call: Call) -> Answer | InputRequired:
    response = response_to(call, "user_name")
    if response is None:
        return input_required(call, {"user_name": NAME})
    return says(f"Hello, {entered(response, 'name')}!")


@tool("test_input_required_result_sampling")
async def one_sample(call: Call) -> Answer | InputRequired:
    response = response_to(call, "capital_question")
    if response is None:
        return input_required(call, {"capital_question": CAPITAL})
    return says(said(response))


@tool("test_input_required_result_list_roots")
async def list_roots(call: Call) -> Answer | InputRequired:
    response = response_to(call, "client_roots")
    if response is None:
        return input_required(call, {"client_roots": ROOTS})
    return says("Roots: " + ", ".join(str(root.get("uri")) for root in response.get("roots", [])))


@tool("test_input_required_result_request_state")
async def request_state(call: Call) -> Answer | InputRequired:
    return _confirmed(call, "asked-for-confirmation")


@tool("test_input_required_result_tampered_state")
async def tampered_state(call: Call) -> Answer | InputRequired:
    # The host seals what it sends and refuses what comes back changed, so a handler sees only its own state.
    return _confirmed(call, "sealed-by-the-host")


def _confirmed(call: Call, state: str) -> Answer | InputRequired:
    if call.client.request_state != state or response_to(call, "confirm") is None:
        return input_required(call, {"confirm": CONFIRM}, state)
    return says("state-ok")


@tool("test_input_required_result_multiple_inputs")
async def multiple_inputs(call: Call) -> Answer | InputRequired:
    requests = {"user_name": NAME, "greeting": sampling("Generate a greeting", 50), "client_roots": ROOTS}
    name, greeting, roots = (response_to(call, key) for key in requests)
    if name is None or greeting is None or roots is None:
        return input_required(call, requests, "asked-for-three")
    return says(f"{said(greeting)} {entered(name, 'name')} has {len(roots.get('roots', []))} roots.")


@tool("test_input_required_result_multi_round")
async def multi_round(call: Call) -> Answer | InputRequired:
    step, _, name = (call.client.request_state or "").partition(":")
    first, second = response_to(call, "step1"), response_to(call, "step2")
    if step == "step2" and second is not None:
        return says(f"{name} likes {entered(second, 'color')}.")
    if step == "step1" and first is not None:
        return input_required(call, {"step2": STEP_2}, f"step2:{entered(first, 'name')}")
    return input_required(call, {"step1": STEP_1}, "step1")


@tool("test_input_required_result_capabilities")
async def only_what_is_declared(call: Call) -> Answer | InputRequired:
    requests = {"user_name": NAME, "capital_question": CAPITAL, "client_roots": ROOTS}
    possible = {key: request for key, request in requests.items() if can_answer(call, request)}
    if possible and not any(response_to(call, key) for key in possible):
        return input_required(call, possible)
    return says(f"Answered: {', '.join(possible) or 'nothing, because the client declared nothing'}")


@tool("test_missing_capability")
async def missing_capability(call: Call) -> Answer:
    input_required(call, {"capital_question": CAPITAL})
    return says("The client declared sampling.")


@tool("test_streaming_elicitation")
async def streaming_elicitation(call: Call) -> Answer | InputRequired:
    await call.progress(1, 2)
    if response_to(call, "confirm") is None:
        return input_required(call, {"confirm": CONFIRM})
    return says("Confirmed.")


TOOLS = (
    one_form,
    one_sample,
    list_roots,
    request_state,
    tampered_state,
    multiple_inputs,
    multi_round,
    only_what_is_declared,
    missing_capability,
    streaming_elicitation,
)
