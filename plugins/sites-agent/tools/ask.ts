import * as v from 'valibot'
import { defineLoopTool, type LoopTool } from '../../agent/port.ts'
import { Question } from '../schemas.ts'
import { told, type SiteRun } from '../site-run.ts'

export const planHeader = 'Plan'

/** Questions to the person who started the run. A plan is approved by the first option of a question with this header. */
export function askTool(run: SiteRun): LoopTool {
  return defineLoopTool(
    {
      name: 'AskUserQuestion',
      description: `Asks the person, and waits for the answers. For a plan use the header '${planHeader}' and one question, whose first option approves it.`,
      input: v.object({ questions: v.pipe(v.array(Question), v.minLength(1), v.maxLength(4)) }),
    },
    async ({ questions }) => {
      const answers = await run.approvals.ask(questions)
      const plan = questions.length === 1 ? questions.find(({ header }) => header === planHeader) : undefined
      if (plan && answers[plan.question] === plan.options[0]?.label) run.isPlanApproved = true
      return told({ answers })
    },
  )
}
