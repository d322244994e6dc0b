import { clock, definePlugin, gates, ids } from '../../kernel/index.ts'
import { runObservers } from '../chat/port.ts'
import { scope } from '../scope/port.ts'
import { Candidate, createCandidates } from './candidates.ts'
import { createTelemetryGate, telemetryGate } from './gate.ts'
import { createNdjsonFile, type NdjsonOptions } from './ndjson-file.ts'
import { createRecent } from './recent.ts'
import { countBy, review } from './review.ts'
import { routes } from './routes.ts'
import { followRun } from './rows.ts'
import { Row, VoteRow } from './schemas.ts'
import { ofSessions } from './sessions.ts'
import { TelemetryVariables, toSettings } from './settings.ts'

/** What happened in chat, what people think of it, and, where it is asked for, messages to replay. Nothing of it leaves this machine. */
export default definePlugin({
  name: 'telemetry',
  tag: 'Telemetry',
  env: TelemetryVariables,
  needs: { clock, ids, scope, access: gates.access },
  gives: { gate: telemetryGate, observer: runObservers },
  routes,
}).setup(({ needs: { clock, ids, scope, access }, env, shape, log }) => {
  const settings = toSettings(env, shape, (variable, why) => log.warn({ variable }, why))
  const fileOf = <T>(file: string | undefined, schema: NdjsonOptions<T>['schema']) => file === undefined ? undefined : createNdjsonFile({ file, schema, log })
  const rowFile = fileOf(settings.rows.file, Row)
  const voteFile = fileOf(settings.feedback.file, VoteRow)
  const candidateFile = fileOf(settings.candidates?.file, Candidate)
  const rows = createRecent({ file: rowFile, most: settings.rows.most })
  const votes = createRecent({ file: voteFile, most: settings.feedback.most, isSame: (a, b) => a.traceId === b.traceId && a.session === b.session })
  const candidates = settings.candidates && candidateFile && createCandidates({ ...settings.candidates, file: candidateFile, clock })

  function add(row: Row): void {
    rows.add(row)
    if (!log.isLevelEnabled('info')) return
    const { promptExcerpt: _shownToNobody, ...facts } = row
    log.info({ event: 'chat_telemetry', ...facts }, 'chat telemetry')
  }
  const parts = { clock, excerpts: settings.excerpts, add }

  return {
    gives: {
      gate: createTelemetryGate(access, settings.http),
      observer(start) {
        const followers = [followRun(start, parts), ...(candidates ? [candidates.observe(start)] : [])]
        return (fact) => followers.forEach((follow) => void follow(fact))
      },
    },
    handlers: {
      async rows({ query: { limit, outcome, phase, ...wanted } }) {
        const isWanted = ofSessions(wanted, scope)
        const all = await rows.list()
        const found = all.filter((row) => fits(row.outcome, outcome) && fits(row.phase, phase) && isWanted(row)).slice(-limit)
        const byOutcome = countBy(found, (row) => row.outcome)
        const byReasonCategory = countBy(found, (row) => row.reasonCategory)
        return { status: 200, body: { totalBuffered: all.length, returned: found.length, byOutcome, byReasonCategory, rows: found } }
      },
      async review({ query: { limit, ...wanted } }) {
        const isWanted = ofSessions(wanted, scope)
        const results = (await rows.list()).filter((row) => row.phase === 'result' && isWanted(row))
        return { status: 200, body: review(results.slice(-limit)) }
      },
      vote({ body: { traceId, session, siteId, rating, note } }) {
        const id = ids.uuid()
        votes.add({ id, at: clock.now().toISOString(), traceId, session: scope.key(scope.draft({ session, siteId })), rating, ...(note && { note }) })
        return { status: 200, body: { ok: true, id } }
      },
      async votes({ query: { limit, rating, traceId, ...wanted } }) {
        const isWanted = ofSessions(wanted, scope)
        const found = (await votes.list()).filter((row) => isWanted(row) && fits(row.rating, rating) && fits(row.traceId, traceId))
        return { status: 200, body: { total: found.length, rows: found.slice(-limit) } }
      },
    },
    async close() {
      candidates?.stop()
      await Promise.all([rowFile, voteFile, candidateFile].map((file) => file?.close()))
    },
  }
})

/** True where nothing is wanted, or this very text. */
const fits = (value: string | undefined, wanted: string | undefined): boolean => wanted === undefined || value === wanted
