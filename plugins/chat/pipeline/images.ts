import { type ImageWork, missingImages, searchingOf } from '../types/images.ts'
import type { PlannedImage, Remark } from '../types/plan.ts'
import { checkpoint, type Done, type Run, type RunContext } from '../types/run.ts'
import type { Candidate } from './candidate.ts'
import { mostMoves, type RunCommit } from './commit.ts'
import type { Planning } from './plan.ts'
import type { Reading } from './reading.ts'
import { check, type Limits } from './validate.ts'

export interface ImageParts {
  readonly reading: Reading
  readonly planning: Planning
  readonly commit: RunCommit
  readonly images: ImageWork | undefined
  /** Milliseconds for all images of a request, or for each image if a client follows. */
  readonly longestImageMs: number
  readonly limits: Limits
}

/**
 * Searches for the images of a plan, whose operations are `before` in the draft, and sets the found ones as one
 * change. A field that has changed in the meantime, or whose image was not found, stays unchanged.
 *
 * Without `before`, throws `Canceled` if the run is canceled; otherwise the images are left out.
 */
export async function setImages(
  run: Run,
  start: RunContext,
  images: readonly PlannedImage[],
  before: Done | undefined,
  candidate: Candidate,
  { reading, planning, commit, images: work, longestImageMs: longestMs, limits }: ImageParts,
): Promise<{ readonly done?: Done; readonly notes: readonly Remark[] }> {
  const { isStreamed } = run.how
  const types = images.map(({ type }) => type)
  const now = async (): Promise<RunContext> => ({ ...start, draft: await reading.draft(run.id) })
  const input = planning.inputOf(run, await now())
  const found = work?.available
    ? await work.find(searchingOf(run), images, { input, isStreamed, longestMs })
    : []
  const reported = run.record.candidates()
  for (let moves = 0; moves < mostMoves; moves += 1) {
    if (!before) checkpoint(run)
    const context = await now()
    const scene = planning.inputOf(run, context)
    const fit = found.flatMap((each) => {
      // Left out if the field has changed or the step is not valid.
      const op = each.operation(scene)
      return op && check([{ op }], run.site, context, limits).ok ? [{ ...each, op }] : []
    })
    const plan = check(
      fit.map(({ op }) => ({ op })),
      run.site,
      context,
      limits,
    )
    if (!plan.ok || plan.steps.length === 0) break
    const missing = missingImages(
      fit.reduce((left, { type }) => left.toSpliced(left.indexOf(type), 1), types),
    )
    const credits = new Set(fit.flatMap(({ credit }) => credit ?? []))
    const notes = [...missing, ...[...credits].map((text) => ({ kind: 'said', text }) as const)]
    for (const [at, { op }] of plan.all.entries())
      run.how.emit({ type: 'op_candidate', index: reported + at + 1, op })
    const companions = before ? [] : [candidate.also]
    const result = await commit(run, context, plan, {
      companions,
      notes: missing,
      before: before?.ops ?? [],
      reported,
    })
    if (result.kind === 'moved') continue
    if (result.kind === 'refused') break
    return {
      done: { committed: result.committed, ops: result.ops, notes, suggestions: candidate.suggestions },
      notes,
    }
  }
  return { ...(before && { done: { ...before, ops: [] } }), notes: missingImages(types) }
}
