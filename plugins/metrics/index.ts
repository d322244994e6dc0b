import { BootError, definePlugin, optional, requestObservers } from '../../kernel/index.ts'
import { bus } from '../bus/port.ts'
import { draftChanged } from '../draft/port.ts'
import { jobs } from '../jobs/port.ts'
import { published } from '../publish/port.ts'
import { createEventCounts, createJobMeter, createRequestCounts } from './counts.ts'
import { createExposition, durationName, type Exposition } from './exposition.ts'
import { meters } from './port.ts'
import { routes } from './routes.ts'

/** Metrics for Prometheus. */
export default definePlugin({
  name: 'metrics',
  tag: 'Health',
  needs: { bus: optional(bus), jobs: optional(jobs), meters },
  gives: { observer: requestObservers },
  routes,
}).setup(({ needs, log, signal }) => {
  const requests = createRequestCounts()
  const changes = createEventCounts({
    name: 'orchestrator_draft_changes_total',
    help: 'Draft changes, by source.',
    label: 'source',
  })
  const publishes = createEventCounts({
    name: 'orchestrator_publishes_total',
    help: 'Publishes, by status.',
    label: 'status',
    initialValues: ['success', 'triggered', 'failed'],
  })
  // The sum over all processes counts each once.
  const own = { signal, own: true }
  needs.bus?.subscribe(draftChanged, ({ source }) => changes.add(source), own)
  needs.bus?.subscribe(published, ({ status }) => publishes.add(status), own)

  const all = [
    ...requests.meters,
    changes.meter,
    publishes.meter,
    createJobMeter(needs.jobs),
    ...needs.meters,
  ]
  checkNames([durationName, ...all.map(({ name }) => name)])

  let opening: Promise<Exposition> | undefined
  const open = async (): Promise<Exposition> => {
    const exposition = await createExposition(all, log)
    requests.measureDurations(exposition.observeDuration)
    return exposition
  }
  return {
    gives: { observer: requests.observer },
    handlers: {
      async metrics() {
        const { contentType, text } = await (opening ??= open())
        return { status: 200, body: await text(), headers: { 'content-type': contentType } }
      },
    },
  }
})

function checkNames(names: readonly string[]): void {
  const wrong = names
    .filter((name) => !/^(?!process_|nodejs_)[a-z][a-z\d_]*$/.test(name))
    .map(
      (name) =>
        `the meter '${name}' needs a name in snake_case that begins with neither process_ nor nodejs_`,
    )
  const twice = names
    .filter((name, at) => names.indexOf(name) !== at)
    .map((name) => `two meters have the name '${name}'; rename one`)
  if (wrong.length + twice.length > 0) throw new BootError([...wrong, ...twice])
}
