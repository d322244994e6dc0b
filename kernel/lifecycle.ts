import { BootError } from './errors.ts'
import type { Logger } from './log.ts'
import type { Booted, Plugin, Setup } from './plugin.ts'
import type { Registry } from './service.ts'
import { passOn, receiveNeeds } from './set-up.ts'
import { withTimeout } from './std/with-timeout.ts'

/** Milliseconds per plugin. A setup may take longer than a store waits for another process. */
export const pluginTimesMs = { setup: 30_000, close: 10_000 }

type AnySetup = Setup<Plugin['needs'], unknown, unknown>

/** Creates what sets up plugins, makes them ready and closes them, each within its time. */
export function createLifecycle({
  registry,
  log,
  times,
  contextOf,
}: {
  readonly registry: Registry
  readonly log: Logger
  readonly times: Readonly<typeof pluginTimesMs>
  readonly contextOf: (plugin: Plugin) => Omit<AnySetup, 'needs' | 'log'>
}) {
  const booted = new Map<Plugin, Booted>()
  const closePlugin = ({ name }: Plugin, product: Booted): Promise<void> =>
    withTimeout(
      times.close,
      (async () => product.close?.())(),
      () => new Error(`plugin did not close within ${times.close} ms`),
    ).catch((err: unknown) => log.error({ err, plugin: name }, 'plugin failed to close'))
  const tooLate = ({ name }: Plugin, was: string): BootError =>
    new BootError([`plugin '${name}' was not ${was} within ${times.setup} ms: look at what it waits for`])
  /** Names the plugin in the log: its own error, which is thrown, may not. */
  const failed = ({ name }: Plugin, error: unknown): never => {
    if (!(error instanceof BootError)) log.error({ plugin: name }, 'plugin failed to start')
    throw error
  }

  const setUpOne = async (plugin: Plugin): Promise<void> => {
    const needs = receiveNeeds(plugin, registry)
    const booting = plugin.boot({ ...contextOf(plugin), needs, log: log.child({ plugin: plugin.name }) })
    const product = await withTimeout(times.setup, booting, () => {
      booting.then(
        (late) => closePlugin(plugin, late),
        () => undefined,
      )
      return tooLate(plugin, 'set up')
    })
    booted.set(plugin, product)
    passOn(plugin, product, registry)
  }

  return {
    booted,
    async setUp(plugins: Iterable<Plugin>): Promise<void> {
      for (const plugin of plugins) await setUpOne(plugin).catch((error) => failed(plugin, error))
    },
    /** Calls `ready` of each plugin in the order of setup. */
    async ready(): Promise<void> {
      for (const [plugin, product] of booted) {
        const ready = withTimeout(times.setup, (async () => product.ready?.())(), () =>
          tooLate(plugin, 'ready'),
        )
        await ready.catch((error) => failed(plugin, error))
      }
    },
    /** Closes what was set up, in reverse order; one that fails to close stops no other. */
    async close(): Promise<void> {
      for (const [plugin, product] of [...booted].toReversed()) await closePlugin(plugin, product)
    },
  }
}
