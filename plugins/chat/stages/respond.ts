import { longestSuggestion } from '../planners/plan.ts'
import type { Source } from '../planners/source.ts'
import { debugOf } from '../run/debug.ts'
import type { Run } from '../run/run.ts'
import type { RunEnd } from '../run/runner.ts'
import type { Told } from './tell.ts'

/** What has no model behind it says less. */
const mostSuggestions = ({ plannerTier }: Source): number => (plannerTier === 'full_llm' ? 5 : 4)

/** Makes the result of a run of its ending in words: adds what every result has. */
export function respond(run: Run, told: Told): RunEnd {
  const { status, source, place } = told
  const { plannerSource, modelUsed, modelKey = run.record.facts()?.tier ?? run.tier } = source
  run.timeline.reached('done')
  const { suggestions, ...result } = told.result
  return {
    status,
    result: {
      previewVersion: place.version,
      plannerSource,
      modelUsed,
      modelKey,
      ...result,
      ...(suggestions && { suggestions: suggestions.filter(({ length }) => length <= longestSuggestion).slice(0, mostSuggestions(source)) }),
      ...(result.updatedSlug === undefined && place.slug !== run.request.slug && result.status === 'applied' && { updatedSlug: place.slug }),
      debug: debugOf(run, told),
    },
  }
}
