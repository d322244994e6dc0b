import type { Helper } from './helpers.ts'
import { phaseLabels, phaseOfTool, phasesOf } from './phases.ts'
import type { Mode, Phase, SiteEvent } from './schemas.ts'

/** Tools that existing clients know by their plain names. */
const plain: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'Glob', 'Grep', 'Bash', 'AskUserQuestion'])

const stallCalls = 15
const stallMs = 120_000

/** What a run has come to, and tells of that: phases, calls of tools, and that nothing new happens. */
export class Progress {
  readonly #emit: (event: SiteEvent) => void
  readonly #now: () => number
  readonly #announced = new Set<Phase>()
  #phase: Phase | null = null
  #callsSince = 0
  #since: number
  #hasWarned = false
  calls = 0
  /** Phases of other modes are not told. */
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

  /** Announces a phase, once; the one before it is over. */
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

  /** Ends the phase that is under way. */
  end(): void {
    if (this.#phase) this.#emit({ type: 'phase_done', phase: this.#phase })
    this.#phase = null
  }

  /** A call of a tool; `helper` made it, where the main agent did not. */
  tool(name: string, helper?: Helper): void {
    this.calls += 1
    this.#callsSince += 1
    const phase = phaseOfTool(name)
    if (phase) this.begin(phase)
    this.#emit({ type: 'tool_use', toolName: plain.has(name) ? name : `mcp__sites-agent__${name}`, ...(helper && { agentType: helper }) })
    if (this.#hasWarned || this.#callsSince < stallCalls || this.#now() - this.#since < stallMs) return
    this.#hasWarned = true
    this.#emit({ type: 'warning', code: 'stall_detected', message: 'The run has called many tools without a new phase. Stop it, or give it more time.' })
  }
}
