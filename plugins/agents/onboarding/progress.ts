import { wordSet } from '../../content/words.ts'
import type { Helper } from './prompts.ts'
import type { Mode, Phase, SiteEvent } from './run/events.ts'

const facts = (activeLabel: string, doneLabel: string, tools = '') => ({
  labels: { activeLabel, doneLabel },
  tools: wordSet(tools),
})

/** The labels of each phase, and the tools that start it; other tools belong to the current phase. */
const phases: Readonly<Record<Phase, ReturnType<typeof facts>>> = {
  analyzing: facts(
    'Analyzing',
    'Analyzed',
    'discover_site_structure scrape_url extract_design_tokens generate_page_specs analyze_codebase',
  ),
  creating: facts('Creating the site', 'Created the site', 'create_site'),
  'custom-blocks': facts('Writing blocks', 'Wrote blocks'),
  images: facts(
    'Bringing images',
    'Brought images',
    'download_remote_image download_remote_images browse_gdrive_images',
  ),
  pages: facts('Writing pages', 'Wrote pages', 'bootstrap_pages'),
  cloning: facts('Cloning', 'Cloned', 'clone_repo'),
  installing: facts('Installing packages', 'Installed packages'),
  integrating: facts('Integrating', 'Integrated', 'integrate_site register_site'),
  launching: facts('Starting the site', 'Started the site', 'launch_site'),
  verifying: facts('Verifying', 'Verified', 'visual_qa_diff'),
}

const building: readonly Phase[] = ['analyzing', 'creating', 'custom-blocks', 'images', 'pages']

/** The phases of a mode, in display order. */
const phasesOf: Readonly<Record<Mode, readonly Phase[]>> = {
  create: building,
  migrate: building,
  integrate: ['cloning', 'analyzing', 'installing', 'integrating', 'launching', 'pages', 'verifying'],
}

/** Tools that existing clients know by their plain names; others get a prefix. */
const plain = wordSet('Read Write Edit Glob Grep Bash AskUserQuestion')

const stalled =
  'The run has made many tool calls without reaching a new phase. Stop it, or give it more time.'
const stallCalls = 15
const stallMs = 120_000

/** Tracks the progress of a run, and emits its events: phases, tool calls, and a warning if it stalls. */
export class Progress {
  readonly #emit: (event: SiteEvent) => void
  readonly #now: () => number
  readonly #announced = new Set<Phase>()
  phase: Phase | null = null
  #callsSince = 0
  #since: number
  #hasWarned = false
  calls = 0
  /** The mode, whose phases are announced. */
  mode: Mode

  constructor(emit: (event: SiteEvent) => void, now: () => number, mode: Mode) {
    this.mode = mode
    this.#emit = emit
    this.#now = now
    this.#since = now()
  }

  /** Announces a phase once, and ends the previous one. */
  begin(phase: Phase): void {
    if (this.#announced.has(phase) || !phasesOf[this.mode].includes(phase)) return
    this.end()
    this.#announced.add(phase)
    this.phase = phase
    this.#callsSince = 0
    this.#since = this.#now()
    this.#hasWarned = false
    this.#emit({ type: 'phase', phase, ...phases[phase].labels })
  }

  outcome(phase: Phase, outcome: string): void {
    if (phasesOf[this.mode].includes(phase)) this.#emit({ type: 'phase_outcome', phase, outcome })
  }

  end(): void {
    if (this.phase) this.#emit({ type: 'phase_done', phase: this.phase })
    this.phase = null
  }

  /** Reports a tool call of the main agent or a helper. */
  tool(name: string, helper?: Helper): void {
    this.calls += 1
    this.#callsSince += 1
    const phase = phasesOf[this.mode].find((each) => phases[each].tools.has(name))
    if (phase) this.begin(phase)
    const toolName = plain.has(name) ? name : `mcp__sites-agent__${name}`
    this.#emit({ type: 'tool_use', toolName, ...(helper && { agentType: helper }) })
    if (this.#hasWarned || this.#callsSince < stallCalls || this.#now() - this.#since < stallMs) return
    this.#hasWarned = true
    this.#emit({ type: 'warning', code: 'stall_detected', message: stalled })
  }
}
