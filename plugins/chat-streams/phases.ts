/**
 * The texts by which clients recognise phases. A text that matches none of them is planning.
 *
 * Programs read them, so they are not translated.
 */
const phases = [
  { phase: 'finishing', words: /wrapping up|finalizing the response|almost done/i },
  { phase: 'images', words: /resolving image|collecting image|preparing image/i },
  { phase: 'applying', words: /^applying|updating draft/i },
  { phase: 'plan ready', words: /^plan ready/i },
] as const

export type Phase = (typeof phases)[number]['phase'] | 'planning'

/** The phase of a status text. */
export function phaseOf(message: string): Phase {
  return phases.find(({ words }) => words.test(message))?.phase ?? 'planning'
}

/** Status texts of streams. */
export const texts = {
  begun: 'Reading the request',
  finishing: 'The changes are in the draft, finalizing the response',
  stopping: 'Stopping, rolling back the changes',
  canceled: 'Stopped. The draft is as it was before.',
} as const
