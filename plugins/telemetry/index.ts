import { clock, definePlugin, gates, ids } from '../../kernel/index.ts'
import { runObservers } from '../chat/port.ts'
import { scope } from '../scope/port.ts'
import { Candidate, createCandidates } from './candidates.ts'
import { createTelemetryGate, routes, telemetryGate } from './routes.ts'
import { createNdjsonFile, type NdjsonOptions } from './ndjson-file.ts'
import { createRecent, createTelemetry } from './service.ts'
import { followRun } from './rows.ts'
import { Row, VoteRow } from './schemas.ts'
import { TelemetryVariables, toSettings } from './settings.ts'

/** Records chat runs, votes and, if enabled, messages for replay, all on this machine. */
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
    const { promptExcerpt: _notLogged, ...facts } = row
    log.info({ event: 'chat_telemetry', ...facts }, 'chat telemetry')
  }
  const parts = { clock, excerpts: settings.excerpts, add }
  const telemetry = createTelemetry({ rows, votes, scope, clock, ids })

  return {
    gives: {
      gate: createTelemetryGate(access, settings.http),
      observer(start) {
        const followers = [followRun(start, parts), ...(candidates ? [candidates.observe(start)] : [])]
        return (fact) => followers.forEach((follow) => void follow(fact))
      },
    },
    handlers: {
      rows: async ({ query }) => ({ status: 200, body: await telemetry.rows(query) }),
      review: async ({ query }) => ({ status: 200, body: await telemetry.review(query) }),
      vote: ({ body }) => ({ status: 200, body: { ok: true, id: telemetry.vote(body) } }),
      votes: async ({ query }) => ({ status: 200, body: await telemetry.votes(query) }),
    },
    async close() {
      candidates?.stop()
      await Promise.all([rowFile, voteFile, candidateFile].map((file) => file?.close()))
    },
  }
})
