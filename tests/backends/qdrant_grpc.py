"""The other door of the small Qdrant: gRPC, by the servicers that qdrant-client generates, over the same engine."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import grpc as rpc
import qdrant_fake
from qdrant_client import grpc, models
from qdrant_client.conversions.conversion import GrpcToRest, RestToGrpc
from qdrant_engine import AlreadyThere, BadInput, Missing, Refused
from qdrant_fake import FakeQdrant

Work = Callable[[], Any]
Failure = Callable[[Any, Work], Any]
_CODES: dict[type[Refused], rpc.StatusCode] = {
    Missing: rpc.StatusCode.NOT_FOUND,
    AlreadyThere: rpc.StatusCode.ALREADY_EXISTS,
    BadInput: rpc.StatusCode.INVALID_ARGUMENT,
}
_UNLIMITED = [("grpc.max_receive_message_length", -1), ("grpc.so_reuseport", 0)]  # as Qdrant has it


def code(name: str, **metadata: str) -> Failure:
    """An error, whose words repeat the request, as a server's may."""

    def fail(context: Any, _: Work) -> None:
        context.set_trailing_metadata([(key.replace("_", "-"), value) for key, value in metadata.items()])
        context.abort(rpc.StatusCode[name], "you sent document_id")

    return fail


def slow(seconds: float) -> Failure:
    def fail(context: Any, work: Work) -> Any:
        time.sleep(seconds)
        return work()

    return fail


def lost(context: Any, work: Work) -> None:
    """The work is done, the answer never arrives."""
    work()
    context.abort(rpc.StatusCode.UNAVAILABLE, "connection reset")


class _Gate(rpc.ServerInterceptor):  # type: ignore[misc]
    """Keys, orders to fail and the engine's refusals; everything passes here."""

    def __init__(self, fake: FakeQdrant) -> None:
        self._fake = fake

    def intercept_service(self, continuation: Any, details: Any) -> Any:
        handler, method = continuation(details), str(details.method)
        sent = {key: value for key, value in details.invocation_metadata if key == "api-key"}.get("api-key")
        return handler and rpc.unary_unary_rpc_method_handler(
            lambda request, context: self._serve(method, sent, context, lambda: handler.unary_unary(request, context)),
            handler.request_deserializer,
            handler.response_serializer,
        )

    def _serve(self, method: str, sent: str | None, context: Any, work: Work) -> Any:
        fake = self._fake
        fake.seen.append(method)
        fake.keys.add(sent)
        if fake.key is not None and sent != fake.key:
            known = rpc.StatusCode
            context.abort(known.PERMISSION_DENIED if sent else known.UNAUTHENTICATED, "Invalid API key or JWT")
        if failure := fake.next_failure(method):
            return failure(context, lambda: self._work(context, work))
        return self._work(context, work)

    def _work(self, context: Any, work: Work) -> Any:
        try:
            with self._fake.engine.lock:
                return work()
        except Refused as problem:
            return context.abort(_CODES[type(problem)], str(problem))


class _Collections(grpc.CollectionsServicer):  # type: ignore[misc]
    def __init__(self, fake: FakeQdrant) -> None:
        self._engine = fake.engine

    def List(self, request: Any, context: Any) -> Any:
        found = [grpc.CollectionDescription(name=name) for name in self._engine.names()]
        return grpc.ListCollectionsResponse(collections=found)

    def CollectionExists(self, request: Any, context: Any) -> Any:
        there = self._engine.exists(request.collection_name)
        return grpc.CollectionExistsResponse(result=grpc.CollectionExists(exists=there))

    def Get(self, request: Any, context: Any) -> Any:
        info = RestToGrpc.convert_collection_info(self._engine.info(request.collection_name))
        return grpc.GetCollectionInfoResponse(result=info)

    def Delete(self, request: Any, context: Any) -> Any:
        return grpc.CollectionOperationResponse(result=self._engine.drop(request.collection_name))

    def Create(self, request: Any, context: Any) -> Any:
        def said(field: str) -> Any:
            return getattr(request, field) if request.HasField(field) else None

        wanted = models.CreateCollection(
            vectors=GrpcToRest.convert_vectors_config(request.vectors_config),
            sparse_vectors=GrpcToRest.convert_sparse_vector_config(request.sparse_vectors_config),
            shard_number=said("shard_number"),
            replication_factor=said("replication_factor"),
            on_disk_payload=said("on_disk_payload"),
            quantization_config=(found := said("quantization_config"))
            and GrpcToRest.convert_quantization_config(found),
        )
        return grpc.CollectionOperationResponse(result=self._engine.create(request.collection_name, wanted))


class _Points(grpc.PointsServicer):  # type: ignore[misc]
    def __init__(self, fake: FakeQdrant) -> None:
        self._engine = fake.engine

    def CreateFieldIndex(self, request: Any, context: Any) -> Any:
        kinds = {
            grpc.FieldType.FieldTypeKeyword: models.PayloadSchemaType.KEYWORD,
            grpc.FieldType.FieldTypeFloat: models.PayloadSchemaType.FLOAT,
            grpc.FieldType.FieldTypeText: models.PayloadSchemaType.TEXT,
            grpc.FieldType.FieldTypeInteger: models.PayloadSchemaType.INTEGER,
        }
        self._engine.index(request.collection_name, request.field_name, kinds[request.field_type])
        return _completed()

    def Get(self, request: Any, context: Any) -> Any:
        ids = [GrpcToRest.convert_point_id(each) for each in request.ids]
        found = self._engine.retrieve(request.collection_name, ids)
        return grpc.GetResponse(result=[_retrieved(each) for each in found])

    def Scroll(self, request: Any, context: Any) -> Any:
        found = self._engine.scroll(request.collection_name, request.limit)
        return grpc.ScrollResponse(result=[_retrieved(each) for each in found])

    def Upsert(self, request: Any, context: Any) -> Any:
        if not all(point.HasField("id") and point.HasField("vectors") for point in request.points):
            raise BadInput("a point needs an id and vectors")
        points = [GrpcToRest.convert_point_struct(each) for each in request.points]
        self._engine.upsert(request.collection_name, points)
        return _completed()

    def SetPayload(self, request: Any, context: Any) -> Any:
        ids = [GrpcToRest.convert_point_id(each) for each in request.points_selector.points.ids]
        self._engine.set_payload(request.collection_name, GrpcToRest.convert_payload(request.payload), ids)
        return _completed()

    def Delete(self, request: Any, context: Any) -> Any:
        chosen = request.points
        if chosen.WhichOneof("points_selector_one_of") == "filter":
            self._engine.delete(request.collection_name, _filter(chosen))
        else:
            ids = [GrpcToRest.convert_point_id(each) for each in chosen.points.ids]
            self._engine.delete(request.collection_name, ids)
        return _completed()

    def Count(self, request: Any, context: Any) -> Any:
        which = _filter(request)
        found = self._engine.count(request.collection_name, which, request.exact)
        return grpc.CountResponse(result=grpc.CountResult(count=found))

    def Query(self, request: Any, context: Any) -> Any:
        return grpc.QueryResponse(result=self._found(request))

    def QueryBatch(self, request: Any, context: Any) -> Any:
        found = [grpc.BatchResult(result=self._found(each)) for each in request.query_points]
        return grpc.QueryBatchResponse(result=found)

    def _found(self, request: Any) -> Any:
        nearest = request.query.nearest
        asked = models.QueryRequest(
            query=GrpcToRest.convert_sparse_vector(nearest.sparse)
            if nearest.HasField("sparse")
            else list(nearest.dense.data),
            using=request.using,
            filter=_filter(request),
            params=GrpcToRest.convert_search_params(request.params) if request.HasField("params") else None,
            limit=request.limit,
        )
        found = self._engine.query(request.collection_name, asked)
        return [grpc.ScoredPoint(id=_id(each.id), score=each.score, version=1) for each in found]


def _filter(request: Any) -> models.Filter | None:
    """On the wire an empty list is none, as it is to a server; to local mode it is one that nothing can fulfil."""
    if not request.HasField("filter"):
        return None
    found = GrpcToRest.convert_filter(request.filter)
    return models.Filter(must=found.must or None, should=found.should or None, must_not=found.must_not or None)


def _id(point: Any) -> Any:
    return RestToGrpc.convert_extended_point_id(point)


def _retrieved(record: models.Record) -> Any:
    payload = RestToGrpc.convert_payload(record.payload or {})
    return grpc.RetrievedPoint(id=_id(record.id), payload=payload)


def _completed() -> Any:
    return grpc.PointsOperationResponse(
        result=grpc.UpdateResult(operation_id=1, status=grpc.UpdateStatus.Completed), time=0.0
    )


@contextmanager
def running(fake: FakeQdrant, port: int = 0, credentials: Any = None) -> Iterator[int]:
    """The fake on a gRPC port of this machine, which it yields; with credentials it speaks TLS."""
    with ThreadPoolExecutor(8) as threads:
        server = rpc.server(threads, interceptors=[_Gate(fake)], options=_UNLIMITED)
        grpc.add_CollectionsServicer_to_server(_Collections(fake), server)
        grpc.add_PointsServicer_to_server(_Points(fake), server)
        place = f"127.0.0.1:{port}"
        used = server.add_secure_port(place, credentials) if credentials else server.add_insecure_port(place)
        server.start()
        try:
            yield used
        finally:
            server.stop(0).wait()


if __name__ == "__main__":
    http = int(sys.argv[1]) if len(sys.argv) > 1 else 6333
    with qdrant_fake.running(http) as served, running(served, http + 1):
        print(served.url, flush=True)
        threading.Event().wait()
