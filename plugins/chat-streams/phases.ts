/**
 * The texts that existing clients tell phases by, in the order of the phases. What fits none of them is planning.
 *
 * They are read by programs, so they stay in English whatever the language of the answers is.
 */
const phases = [
  { phase: 'finishing', words: /wrapping up|finalizing the response|almost done/i },
  { phase: 'images', words: /resolving image|collecting image|preparing image/i },
  { phase: 'applying', words: /^applying|updating draft/i },
  { phase: 'plan ready', words: /^plan ready/i },
] as const

export type Phase = (typeof phases)[number]['phase'] | 'planning'

/** The phase that a status text stands for. */
export function phaseOf(message: string): Phase {
  return phases.find(({ words }) => words.test(message))?.phase ?? 'planning'
}

/** What streams say by themselves. */
export const texts = {
  begun: 'Reading the request',
  finishing: 'The changes are in the draft, finalizing the response',
  stopping: 'Stopping, what was changed is taken back',
  canceled: 'Stopped. The draft is as it was before.',
} as const
