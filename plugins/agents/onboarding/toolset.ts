import * as v from 'valibot'
import {
  defineLoopTool,
  type LoopAnswer,
  type LoopCall,
  type LoopResult,
  type LoopTool,
  toolAnswer,
} from '../loop/port.ts'
import { wordSet } from '../../content/words.ts'
import { type Helper, helperPrompt, helpers, helpersOf } from './prompts.ts'
import { sentenceOf } from './problem.ts'
import { type Mode, Question } from './run/events.ts'
import type { Scraper } from './scrape/website.ts'
import type { SiteRun } from './run/site-run.ts'
import type { AgentTask } from './subagents.ts'
import { bashTool } from './tools/bash.ts'
import { cloneTool } from './tools/clone.ts'
import { createTool, integrateTool } from './tools/create.ts'
import { fileTools } from './tools/files.ts'
import { driveTool, pageTools } from './tools/pages.ts'
import { scrapeTools, visualDiffTool } from './tools/scrape.ts'
import { siteTools } from './tools/sites.ts'

const creating = wordSet(`
  list_sites create_site bootstrap_pages apply_theme AskUserQuestion
  download_remote_image download_remote_images browse_gdrive_images`)
const analyzing = wordSet(
  'discover_site_structure scrape_url generate_page_specs extract_design_tokens visual_qa_diff',
)

/** The tools of each mode. */
const namesOf: Readonly<Record<Mode, ReadonlySet<string>>> = {
  create: creating,
  migrate: creating.union(analyzing),
  integrate: wordSet(`
    list_sites clone_repo analyze_codebase integrate_site launch_site register_site visual_qa_diff
    bootstrap_pages apply_theme AskUserQuestion Read Write Edit Glob Grep Bash`),
}

/** Returns the tools of a run in its mode. `start` runs helpers, which have their own tools. */
export function toolsOf(
  run: SiteRun,
  scraper: Scraper,
  start: (task: AgentTask) => Promise<LoopResult>,
): readonly LoopTool[] {
  const all = [
    ...siteTools(run),
    cloneTool(run),
    integrateTool(run),
    createTool(run),
    ...pageTools(run),
    ...scrapeTools(run, scraper),
    visualDiffTool(run),
    askTool(run),
    ...fileTools(run),
    bashTool(run),
    ...(run.drive ? [driveTool(run, run.drive)] : []),
  ].map((tool) => explained(tool, run))
  const named = (names: ReadonlySet<string>): readonly LoopTool[] => all.filter(({ name }) => names.has(name))
  const ofMode = helpersOf[run.mode]
  const delegate = delegateTool(run, ofMode, (helper, message, signal) => {
    const { tools, maxTurns } = helpers[helper]
    return start({ helper, system: helperPrompt(helper), message, tools: named(tools), maxTurns, signal })
  })
  return [...named(namesOf[run.mode]), ...(ofMode.length > 0 ? [delegate] : [])]
}

/** Shows the model refusals and errors about the files of a site, and never where the workspace is on this machine. */
const explained = (tool: LoopTool, { workspace: { root }, streamId }: SiteRun): LoopTool => ({
  ...tool,
  prepare(input) {
    const read = tool.prepare(input)
    if (!read.ok) return read
    const run = async (call: LoopCall): Promise<LoopAnswer> => {
      const answer = await read.value.run(call).catch((error: unknown) => {
        const text = sentenceOf(error)
        if (text === undefined) throw error
        return { text, isError: true }
      })
      const folders = [`${root}/.sites-agent/runs/${streamId}/`, `${root}/`, root]
      return { ...answer, text: folders.reduce((text, folder) => text.replaceAll(folder, ''), answer.text) }
    }
    return { ok: true, value: { ...read.value, run } }
  },
})

const planHeader = 'Plan'

/** Creates the tool that asks the person. The first option of a question headed 'Plan' approves it. */
function askTool(run: SiteRun): LoopTool {
  return defineLoopTool(
    {
      name: 'AskUserQuestion',
      description:
        `Asks the person and waits for the answers. For a plan, use the header '${planHeader}' and one ` +
        'question whose first option approves it.',
      input: v.object({ questions: v.pipe(v.array(Question), v.minLength(1), v.maxLength(4)) }),
    },
    async ({ questions }) => {
      const answers = await run.approvals.ask(questions)
      const plan = questions.length === 1 ? questions.find(({ header }) => header === planHeader) : undefined
      if (plan && answers[plan.question] === plan.options[0]?.label) run.isPlanApproved = true
      return toolAnswer({ answers })
    },
  )
}

const Task = v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(20_000))

/** Creates the tool that delegates a task to one of these helpers. */
function delegateTool(
  run: SiteRun,
  helpers: readonly Helper[],
  start: (helper: Helper, task: string, signal: AbortSignal) => Promise<LoopResult>,
): LoopTool {
  return defineLoopTool(
    {
      name: 'delegate',
      description:
        'Delegates a task to a helper with its own tools, which sees only the task and answers with a ' +
        'report. Include the site id, addresses and everything else that it needs.',
      input: v.object({ helper: v.picklist(helpers), task: Task }),
    },
    async ({ helper, task }, { signal }) => {
      if (helper === 'block-coder') run.begin('custom-blocks')
      const { text, ended } = await start(helper, task, signal)
      return { ...toolAnswer({ report: text, ended }), ...(ended !== 'end' && { isError: true }) }
    },
  )
}
