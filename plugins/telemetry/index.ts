import { clock, createRedactor, definePlugin, gates, ids, optional, redactor } from '../../kernel/index.ts'
import { promptExcerpt, runObservers } from '../chat/port.ts'
import { scope } from '../scope/port.ts'
import { createTelemetryGate, routes, telemetryGate } from './routes.ts'
import { createNdjsonFile, type NdjsonOptions } from './ndjson-file.ts'
import { createRecent, matches, ofSessions } from './recent.ts'
import { countBy, hasFailed, review } from './review.ts'
import { followRun } from './rows.ts'
import { TelemetryRow, VoteRow } from './schemas.ts'
import { TelemetryVariables, toSettings } from './settings.ts'

/** Records chat runs and votes, all on this machine. */
export default definePlugin({
  name: 'telemetry',
  tag: 'Telemetry',
  env: TelemetryVariables,
  needs: { clock, ids, scope, access: gates.access, redact: optional(redactor) },
  gives: { gate: telemetryGate, observer: runObservers },
  routes,
}).setup(({ needs: { clock, ids, scope, access, redact = createRedactor([]) }, env, shape, log }) => {
  const settings = toSettings(env, shape, (variable) =>
    log.warn({ variable }, 'invalid value ignored, using the default'),
  )
  const fileOf = <T>(file: string | undefined, schema: NdjsonOptions<T>['schema']) =>
    file === undefined ? undefined : createNdjsonFile({ file, schema, log })
  const rowFile = fileOf(settings.rows.file, TelemetryRow)
  const voteFile = fileOf(settings.feedback.file, VoteRow)
  const rows = createRecent({ file: rowFile, most: settings.rows.most })
  const votes = createRecent({
    file: voteFile,
    most: settings.feedback.most,
    isSame: (a, b) => a.traceId === b.traceId && a.session === b.session,
  })

  function add(row: TelemetryRow): void {
    rows.add(row)
    // The steps of a run are no news: its result names them.
    const level = row.phase === 'result' ? 'info' : 'debug'
    if (!log.isLevelEnabled(level)) return
    const { promptExcerpt: _notLogged, ...facts } = row
    log[level]({ event: 'chat_telemetry', ...facts }, 'chat telemetry')
  }
  const parts = { clock, excerpts: settings.excerpts, redact, add }

  return {
    gives: {
      gate: createTelemetryGate(access, settings.http),
      observer(given) {
        // Redacted before it is cut: the beginning of a secret must not remain.
        const message = redact(given.message)
        return followRun({ ...given, message, promptExcerpt: promptExcerpt(message) }, parts)
      },
    },
    handlers: {
      async rows({ query: { limit, outcome, phase, ...wanted } }) {
        const isWanted = ofSessions(wanted, scope)
        const all = await rows.list()
        const found = all
          .filter((row) => matches(row.outcome, outcome) && matches(row.phase, phase) && isWanted(row))
          .slice(-limit)
        const body = {
          totalBuffered: all.length,
          returned: found.length,
          byOutcome: countBy(found, (row) => row.outcome),
          byReasonCategory: countBy(found, (row) => row.reasonCategory),
          rows: found.map((row) => ({ ...row, ...(hasFailed(row) && { failed: true as const }) })),
        }
        return { status: 200, body }
      },
      async review({ query: { limit, ...wanted } }) {
        const isWanted = ofSessions(wanted, scope)
        const results = (await rows.list()).filter((row) => row.phase === 'result' && isWanted(row))
        return { status: 200, body: review(results.slice(-limit)) }
      },
      vote({ body: { session, siteId, traceId, rating, note } }) {
        const id = ids.uuid()
        const voter = { traceId, session: scope.key(scope.draft({ session, siteId })), rating }
        votes.add({ id, at: clock.now().toISOString(), ...voter, ...(note && { note: redact(note) }) })
        return { status: 200, body: { ok: true, id } }
      },
      async votes({ query: { limit, rating, traceId, ...wanted } }) {
        const isWanted = ofSessions(wanted, scope)
        const found = (await votes.list()).filter(
          (row) => isWanted(row) && matches(row.rating, rating) && matches(row.traceId, traceId),
        )
        return { status: 200, body: { total: found.length, rows: found.slice(-limit) } }
      },
    },
    async close() {
      await Promise.all([rowFile?.close(), voteFile?.close()])
    },
  }
})
