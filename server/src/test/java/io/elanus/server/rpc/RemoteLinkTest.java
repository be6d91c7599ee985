package io.elanus.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.elanus.base.error.Blame;
import io.elanus.base.error.DbException;
import io.elanus.base.error.ErrorCode;
import io.elanus.base.id.PChannel;
import io.elanus.base.time.Deadline;
import io.elanus.base.time.SystemClock;
import io.elanus.wire.service.CallContext;
import io.elanus.wire.service.StreamingService;
import io.elanus.wire.service.TsoService;
import io.elanus.wire.status.WireStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How calls between processes fail.
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RemoteLinkTest {
  private static final CallContext CONTEXT = CallContext.background("test");

  /// Answers as told.
  private static final class ScriptedTso implements TsoService {
    private volatile Function<AllocId, CompletableFuture<IdRange>> ids =
        request -> CompletableFuture.completedFuture(new IdRange(1, request.count()));

    @Override
    public CompletableFuture<TimestampRange> allocTimestamp(
        CallContext context, AllocTimestamp request) {
      throw new UnsupportedOperationException("not asked in this test");
    }

    @Override
    public CompletableFuture<IdRange> allocId(CallContext context, AllocId request) {
      return ids.apply(request);
    }
  }

  private final Loopback serving = new Loopback("serving");
  private final Loopback calling = new Loopback("calling");
  private final ScriptedTso tso = new ScriptedTso();
  private final PortServer server = serving.listen(serving.services().serve(tso));
  private final RemoteLink link = calling.link(server.port());

  @AfterEach
  void close() {
    calling.close();
    serving.close();
  }

  private CompletableFuture<TsoService.IdRange> ask(CallContext context) {
    return RemoteServices.tso(link).allocId(context, new TsoService.AllocId(3));
  }

  private static DbException failure(CompletableFuture<?> answer) {
    Throwable thrown = answer.orTimeout(30, TimeUnit.SECONDS).handle((_, fault) -> fault).join();
    assertThat(thrown).isNotNull();
    Throwable cause = thrown instanceof CompletionException e ? e.getCause() : thrown;
    assertThat(cause).isInstanceOf(DbException.class);
    return WireStatus.classify(thrown);
  }

  private void assertServes() {
    assertThat(ask(CONTEXT).orTimeout(30, TimeUnit.SECONDS).join())
        .isEqualTo(new TsoService.IdRange(1, 3));
  }

  @Test
  void everyErrorCrossesTheLinkUnchanged() {
    for (ErrorCode code : ErrorCode.values()) {
      DbException plain = DbException.verbatim(code, "collection \"ž\" is gone: " + code.text());
      for (DbException sent : List.of(plain, plain.asInput(), plain.asRetriable())) {
        tso.ids = _ -> CompletableFuture.failedFuture(sent);

        DbException received = failure(ask(CONTEXT));

        assertThat(received.code()).isEqualTo(code);
        assertThat(received).hasMessage(sent.getMessage());
        assertThat(received.blame()).as("blame of %s", code).isEqualTo(sent.blame());
        assertThat(received.isRetriable()).as("retry of %s", code).isEqualTo(sent.isRetriable());
      }
    }
  }

  @Test
  void anErrorThrownByTheServiceIsLikeOneAnswered() {
    tso.ids =
        _ -> {
          throw DbException.invalid("count", "at least 1", 0);
        };

    DbException received = failure(ask(CONTEXT));

    assertThat(received.code()).isEqualTo(ErrorCode.PARAMETER_INVALID);
    assertThat(received).hasMessage("count: invalid parameter[expected=at least 1][actual=0]");
    assertThat(received.blame()).isEqualTo(Blame.INPUT);
  }

  @Test
  void aFaultThatNobodyForesawIsClassifiedAsInProcess() {
    for (RuntimeException fault :
        List.of(new IllegalStateException("odd"), new RejectedExecutionException("full"))) {
      tso.ids = _ -> CompletableFuture.failedFuture(new CompletionException(fault));
      DbException inProcess = WireStatus.classify(fault);

      DbException received = failure(ask(CONTEXT));

      assertThat(received.code()).isEqualTo(inProcess.code());
      assertThat(received).hasMessage(inProcess.getMessage());
    }
  }

  @Test
  void aCallToAClosedServerFailsAsNodeNotAvailable() {
    assertServes();

    server.close();

    assertThat(failure(ask(CONTEXT)).code()).isEqualTo(ErrorCode.NODE_NOT_AVAILABLE);
  }

  @Test
  void aCallUnderWayWhenItsServerClosesFailsAsNodeNotAvailable() {
    CompletableFuture<Void> arrived = new CompletableFuture<>();
    tso.ids =
        _ -> {
          arrived.complete(null);
          return new CompletableFuture<>();
        };
    CompletableFuture<TsoService.IdRange> answer = ask(CONTEXT);
    arrived.join();

    server.close();

    assertThat(failure(answer).code()).isEqualTo(ErrorCode.NODE_NOT_AVAILABLE);
  }

  @Test
  void aCallOverAClosedLinkFailsAsNodeNotAvailable() {
    link.close();

    assertThat(failure(ask(CONTEXT)).code()).isEqualTo(ErrorCode.NODE_NOT_AVAILABLE);
  }

  @Test
  void aCallPastItsDeadlineFailsAsDeadlineExceededAndItsLateAnswerIsDropped() {
    CompletableFuture<TsoService.IdRange> late = new CompletableFuture<>();
    tso.ids = _ -> late;
    Deadline soon = Deadline.after(SystemClock.INSTANCE, Duration.ofMillis(20));

    DbException received = failure(ask(new CallContext(soon, "hurried")));

    assertThat(received.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    late.complete(new TsoService.IdRange(7, 7));
    tso.ids = request -> CompletableFuture.completedFuture(new TsoService.IdRange(1, 3));
    assertServes();
  }

  @Test
  void aCallWhoseDeadlineHasPassedFailsWithoutBeingMade() {
    tso.ids = _ -> new CompletableFuture<>();
    Deadline passed = Deadline.after(SystemClock.INSTANCE, Duration.ofMillis(-1));

    DbException received = failure(ask(new CallContext(passed, "late")));

    assertThat(received.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
  }

  @Test
  @SuppressWarnings("unchecked") // A service that breaks its contract is what is tested.
  void anAnswerThatCantBeWrittenFailsTheCall() {
    CompletableFuture<?> wrong = CompletableFuture.completedFuture("not a range of ids");
    tso.ids = _ -> (CompletableFuture<TsoService.IdRange>) wrong;

    assertThat(failure(ask(CONTEXT)).code()).isEqualTo(ErrorCode.UNEXPECTED);
    tso.ids = request -> CompletableFuture.completedFuture(new TsoService.IdRange(1, 3));
    assertServes();
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // A caller that breaks its contract.
  void aRequestThatCantBeWrittenFailsTheCall() {
    Endpoint raw = Endpoints.TSO_ALLOC_ID;

    CompletableFuture<?> answer = link.call(raw, CONTEXT, "not a request");

    assertThat(failure(answer).code()).isEqualTo(ErrorCode.UNEXPECTED);
    assertServes();
  }

  @Test
  void aServiceThatIsNotThereIsUnimplemented() {
    CompletableFuture<?> answer =
        RemoteServices.streaming(link)
            .open(CONTEXT, new StreamingService.OpenChannel(PChannel.of("p", 0), 1));

    assertThat(failure(answer).code()).isEqualTo(ErrorCode.UNIMPLEMENTED);
  }

  @Test
  void aRequestOrReplyThatIsTooLargeIsNotTriedAgain() {
    RemoteLink narrow =
        calling.link(serving.listen(1024, serving.services().serve(tso)).port(), 1024);
    CallContext wordy = CallContext.background("x".repeat(4096));

    DbException request =
        failure(RemoteServices.tso(narrow).allocId(wordy, new TsoService.AllocId(1)));
    tso.ids = _ -> CompletableFuture.failedFuture(DbException.invalid("y".repeat(4096)));
    DbException reply =
        failure(RemoteServices.tso(narrow).allocId(CONTEXT, new TsoService.AllocId(1)));

    assertThat(request.code()).isEqualTo(ErrorCode.PARAMETER_TOO_LARGE);
    assertThat(reply.code()).isEqualTo(ErrorCode.PARAMETER_TOO_LARGE);
  }
}
