import type { Logger } from '../../../kernel/index.ts'
import type { UsageLog } from '../../usage/port.ts'
import type { Run } from './run.ts'

/** Keeps what a model took for a run: it is paid for, however the run ended. */
export async function keepUsage({ id, how, record }: Run, { usage, log }: { readonly usage: UsageLog | undefined; readonly log: Logger }): Promise<void> {
  await usage?.add(id, record.meter.calls()).catch((err: unknown) => log.error({ err, run: how.id }, 'what a model took could not be kept'))
}
