import * as v from 'valibot'
import { defineLoopTool, type LoopResult, type LoopTool } from '../../agent/port.ts'
import type { Helper } from '../helpers.ts'
import { told, type SiteRun } from '../site-run.ts'

/** Runs a helper with a task, until it is done or a limit of the run is reached. */
export type StartHelper = (helper: Helper, task: string, signal: AbortSignal) => Promise<LoopResult>

/** Hands a task to one of these helpers. */
export function delegateTool(run: SiteRun, helpers: readonly Helper[], start: StartHelper): LoopTool {
  return defineLoopTool(
    {
      name: 'delegate',
      description: 'Hands a task to a helper, which has tools of its own, knows nothing but the task, and answers with a report. Name the site id, addresses and everything else that it needs.',
      input: v.object({ helper: v.picklist(helpers), task: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(20_000)) }),
    },
    async ({ helper, task }, { signal }) => {
      if (helper === 'block-coder') run.begin('custom-blocks')
      const { text, ended } = await start(helper, task, signal)
      return { ...told({ report: text, ended }), ...(ended !== 'end' && { isError: true }) }
    },
  )
}
