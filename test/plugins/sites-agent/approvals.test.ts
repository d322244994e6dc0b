import { mock } from 'node:test'
import t from 'tap'
import { stillClock } from '../../../kernel/testing.ts'
import { createApprovals, Progress, type SiteEvent } from '../../../plugins/agents/onboarding/testing.ts'

const question = {
  question: 'Go on?',
  header: 'x',
  options: [{ label: 'Yes', description: '' }],
  multiSelect: false,
}

function approvals() {
  const events: SiteEvent[] = []
  const stop = new AbortController()
  let count = 0
  const made = createApprovals({
    emit: (event) => void events.push(event),
    signal: stop.signal,
    clock: stillClock(),
    ids: { uuid: () => `id-${++count}` },
    giveUp: (why) => stop.abort(why),
  })
  return { made, events, stop }
}

t.test('an unanswered question is never an approval: it ends the run', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const { made, events, stop } = approvals()
  const asked = made.ask([question])
  const rejected = t.rejects(asked, /not answered within 10 minutes.* It asked: Go on\?$/)
  await Promise.resolve()
  await Promise.resolve()
  t.match(events, [{ type: 'approval_required', approvalId: 'id-1' }])
  mock.timers.tick(8 * 60_000)
  t.match(events.at(-1), { type: 'warning', code: 'approval_expiring' })
  t.equal(stop.signal.aborted, false)
  mock.timers.tick(2 * 60_000)
  await rejected
  t.equal(made.pending(), undefined)
  t.throws(() => made.respond({ 'Go on?': 'Yes' }, undefined), { code: 'no_pending_approval' })
  await t.rejects(made.ask([question]), /not answered/, 'no further questions')
})

t.test('questions are asked one at a time, and only the exact answer approves', async (t) => {
  const { made, events } = approvals()
  const answers = ['Yes', 'yes', '']
  const asked = answers.map((_, at) => made.allows(`Question ${at}?`, { header: 'x', label: 'Yes' }))
  for (const [at, answer] of answers.entries()) {
    while (events.length === at) await new Promise(setImmediate)
    t.match(made.pending(), { approvalId: `id-${at + 1}`, questions: [{ question: `Question ${at}?` }] })
    made.respond({ [`Question ${at}?`]: answer }, undefined)
    await asked[at]
  }
  t.strictSame(await Promise.all(asked), [true, false, false])
})

t.test('a run that calls many tools without a new phase is reported once', (t) => {
  const events: SiteEvent[] = []
  let now = 0
  const progress = new Progress(
    (event) => void events.push(event),
    () => now,
    'integrate',
  )
  const warnings = () => events.filter(({ type }) => type === 'warning').length
  progress.tool('analyze_codebase')
  for (let at = 0; at < 20; at++) progress.tool('Read')
  t.equal(warnings(), 0)
  now = 121_000
  for (const _ of [1, 2]) progress.tool('Read')
  t.equal(warnings(), 1)
  for (const name of ['integrate_site', 'bootstrap_pages', 'analyze_codebase']) progress.tool(name)
  progress.begin('creating')
  progress.outcome('creating', 'not of this mode')
  progress.end()
  const phases = events.filter(({ type }) => type === 'phase' || type === 'phase_done')
  const types = ['phase', 'phase_done']
  const wanted = ['analyzing', 'integrating', 'pages'].flatMap((phase) =>
    types.map((type) => ({ type, phase })),
  )
  t.match(phases, wanted)
  t.equal(phases.length, wanted.length)
  t.end()
})
