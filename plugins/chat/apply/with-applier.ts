import type { Ended } from '../run/ending.ts'
import type { Run } from '../run/run.ts'
import { Canceled } from '../run/runner.ts'
import type { ApplyParts } from '../stages/apply.ts'
import { textsIn } from '../texts/index.ts'
import { createApplier, type Applier } from './applier.ts'
import type { ApplySettings } from './settings.ts'

/**
 * Lets a job change the draft by the hand of a run. Only an ending that says `applied` leaves what it did: with every other
 * one, and when the job fails or is canceled, it is taken back first.
 */
export async function withApplier(run: Run, parts: ApplyParts & { readonly stepping: ApplySettings }, job: (applier: Applier) => Promise<Ended>): Promise<Ended> {
  const applier = createApplier(run, parts, parts.stepping.stepMs)
  const ended = await job(applier).catch(async (error: unknown) => {
    await applier.takeBack(error instanceof Canceled ? 'canceled' : 'ended')
    if (!(error instanceof Canceled) || applier.kept.length === 0) throw error
    const texts = textsIn(run.locale)
    throw new Canceled(error.message, { told: `${texts.stopped()} ${texts.kept(applier.kept)}` })
  })
  const { ending, place } = ended
  if (ending.kind !== 'applied') await applier.takeBack(ending.kind === 'held' ? 'held' : 'ended')
  return { ...ended, place: { ...place, version: applier.version ?? place.version, kept: applier.kept } }
}
