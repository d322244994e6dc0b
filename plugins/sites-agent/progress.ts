import { ownValue } from '../content/plain-object.ts'
import type { Helper } from './prompts.ts'
import type { Mode, Phase, SiteEvent } from './run/events.ts'

/** Labels of a phase, during and after it. */
const phaseLabels: Readonly<Record<Phase, { readonly activeLabel: string; readonly doneLabel: string }>> = {
  analyzing: { activeLabel: 'Analyzing', doneLabel: 'Analyzed' },
  creating: { activeLabel: 'Creating the site', doneLabel: 'Created the site' },
  'custom-blocks': { activeLabel: 'Writing blocks', doneLabel: 'Wrote blocks' },
  images: { activeLabel: 'Bringing images', doneLabel: 'Brought images' },
  pages: { activeLabel: 'Writing pages', doneLabel: 'Wrote pages' },
  cloning: { activeLabel: 'Cloning', doneLabel: 'Cloned' },
  installing: { activeLabel: 'Installing packages', doneLabel: 'Installed packages' },
  integrating: { activeLabel: 'Integrating', doneLabel: 'Integrated' },
  launching: { activeLabel: 'Starting the site', doneLabel: 'Started the site' },
  verifying: { activeLabel: 'Verifying', doneLabel: 'Verified' },
}

const building: readonly Phase[] = ['analyzing', 'creating', 'custom-blocks', 'images', 'pages']

/** The phases of a mode, in the order in which clients show them. */
const phasesOf: Readonly<Record<Mode, readonly Phase[]>> = {
  create: building,
  migrate: building,
  integrate: ['cloning', 'analyzing', 'installing', 'integrating', 'launching', 'pages', 'verifying'],
}

/** The phases that tools start; any other tool belongs to the current phase. */
const byTool: Readonly<Record<string, Phase>> = {
  discover_site_structure: 'analyzing',
  scrape_url: 'analyzing',
  extract_design_tokens: 'analyzing',
  generate_page_specs: 'analyzing',
  analyze_codebase: 'analyzing',
  clone_repo: 'cloning',
  create_site: 'creating',
  download_remote_image: 'images',
  download_remote_images: 'images',
  browse_gdrive_images: 'images',
  bootstrap_pages: 'pages',
  integrate_site: 'integrating',
  register_site: 'integrating',
  launch_site: 'launching',
  visual_qa_diff: 'verifying',
}

/** Tools that existing clients know by their plain names; the others get a prefix. */
const plain: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash', 'AskUserQuestion'])

const stallCalls = 15
const stallMs = 120_000

/** The progress of a run, and its events: phases, tool calls, and a warning if it stalls. */
export class Progress {
  readonly #emit: (event: SiteEvent) => void
  readonly #now: () => number
  readonly #announced = new Set<Phase>()
  #phase: Phase | null = null
  #callsSince = 0
  #since: number
  #hasWarned = false
  calls = 0
  /** Phases of other modes are not announced. */
  mode: Mode

  constructor(emit: (event: SiteEvent) => void, now: () => number, mode: Mode) {
    this.mode = mode
    this.#emit = emit
    this.#now = now
    this.#since = now()
  }

  get phase(): Phase | null {
    return this.#phase
  }

  /** Announces a phase, once, and ends the previous one. */
  begin(phase: Phase): void {
    if (this.#announced.has(phase) || !phasesOf[this.mode].includes(phase)) return
    this.end()
    this.#announced.add(phase)
    this.#phase = phase
    this.#callsSince = 0
    this.#since = this.#now()
    this.#hasWarned = false
    this.#emit({ type: 'phase', phase, ...phaseLabels[phase] })
  }

  outcome(phase: Phase, outcome: string): void {
    if (phasesOf[this.mode].includes(phase)) this.#emit({ type: 'phase_outcome', phase, outcome })
  }

  /** Ends the current phase. */
  end(): void {
    if (this.#phase) this.#emit({ type: 'phase_done', phase: this.#phase })
    this.#phase = null
  }

  /** Reports a tool call of the main agent, or of a helper. */
  tool(name: string, helper?: Helper): void {
    this.calls += 1
    this.#callsSince += 1
    const phase = ownValue(byTool, name)
    if (phase) this.begin(phase)
    this.#emit({ type: 'tool_use', toolName: plain.has(name) ? name : `mcp__sites-agent__${name}`, ...(helper && { agentType: helper }) })
    if (this.#hasWarned || this.#callsSince < stallCalls || this.#now() - this.#since < stallMs) return
    this.#hasWarned = true
    this.#emit({ type: 'warning', code: 'stall_detected', message: 'The run has made many tool calls without reaching a new phase. Stop it, or give it more time.' })
  }
}
