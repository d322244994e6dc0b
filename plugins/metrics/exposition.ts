import type { Counter, Gauge, PrometheusContentType, Registry } from 'prom-client'
import type { Logger } from '../../kernel/index.ts'
import type { Meter, Sample } from './port.ts'
import { metricsMissing } from './refusals.ts'
import type { ObserveDuration } from './counts.ts'

export const durationName = 'orchestrator_http_request_duration_seconds'
/** The buckets in seconds, from a small read to a long model answer. */
const buckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60]
/** The maximum number of samples per meter; the rest is summed up under the labels `other`. */
const maxSamples = 500

/** Imports the library and registers the meters. Refuses with 503 `metrics_missing` without it. */
export async function createExposition(meters: readonly Meter[], log: Pick<Logger, 'warn'>) {
  const library = await importLibrary()
  const registry = new library.Registry<PrometheusContentType>()
  const fill = async (
    { name, labels = [], read }: Meter,
    metric: Counter | Gauge,
    put: (labels: Readonly<Record<string, string>>, value: number) => void,
  ): Promise<void> => {
    try {
      const samples = bounded(await read(), labels)
      metric.reset()
      for (const { labels = {}, value } of samples) put(labels, value)
    } catch (err) {
      log.warn({ err, meter: name }, 'meter could not be read')
      metric.reset()
    }
  }
  for (const meter of meters) {
    const { name, help, labels: labelNames = [] } = meter
    const described = { name, help, labelNames, registers: [] }
    const gauge = {
      ...described,
      collect(this: Gauge) {
        return fill(meter, this, (labels, value) => this.set(labels, value))
      },
    }
    const counter = {
      ...described,
      collect(this: Counter) {
        return fill(meter, this, (labels, value) => this.inc(labels, value))
      },
    }
    registry.registerMetric(meter.kind === 'gauge' ? new library.Gauge(gauge) : new library.Counter(counter))
  }
  const durations = new library.Histogram({
    name: durationName,
    help: 'Seconds until an answer was ready, counted from the first scrape on.',
    labelNames: ['method', 'route'],
    buckets,
    registers: [registry],
  })
  const all = library.Registry.merge([processRegistry(library), registry])
  return {
    contentType: all.contentType,
    text: () => all.metrics(),
    observeDuration: ({ method, route }: Parameters<ObserveDuration>[0], seconds: number) =>
      durations.observe({ method, route }, seconds),
  }
}

export type Exposition = Awaited<ReturnType<typeof createExposition>>

type Library = typeof import('prom-client')

/** Imported on the first scrape, because this takes 30 ms. */
async function importLibrary(): Promise<Library> {
  try {
    return await import('prom-client')
  } catch {
    throw metricsMissing()
  }
}

/** The metrics of the process, collected once for all services, because their observers cannot stop. */
let ofProcess: Registry<PrometheusContentType> | undefined

function processRegistry({ Registry, collectDefaultMetrics }: Library): Registry<PrometheusContentType> {
  if (!ofProcess) collectDefaultMetrics({ register: (ofProcess = new Registry()) })
  return ofProcess
}

function bounded(samples: readonly Sample[], labels: readonly string[]): readonly Sample[] {
  if (samples.length <= maxSamples) return samples
  const value = samples.slice(maxSamples).reduce((sum, sample) => sum + sample.value, 0)
  return [
    ...samples.slice(0, maxSamples),
    { labels: Object.fromEntries(labels.map((name) => [name, 'other'])), value },
  ]
}
