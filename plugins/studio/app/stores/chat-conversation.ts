/** The conversation in this tab, which a reload does not lose. */
import { effect, signal } from '@preact/signals'
import type { Turn } from './chat-turn.ts'
import { draftId } from './site.ts'

const most = 30
const chatKey = (what: string): string =>
  `content-orchestrator:chat-${what}:${draftId.value.siteId}:${draftId.value.session}`

export const turns = signal<readonly Turn[]>([])
/** The message that is being typed. */
export const typed = signal('')

/** Puts an example into the box, with its last text in quotes selected, so that what is typed replaces it. */
export function takeExample(text: string): void {
  typed.value = text
  const box = document.getElementById('message')
  if (!(box instanceof HTMLTextAreaElement)) return
  box.value = text
  box.focus()
  const end = text.lastIndexOf('"')
  const start = text.lastIndexOf('"', end - 1) + 1
  if (start > 0 && end >= start) box.setSelectionRange(start, end)
}

/** Reads what this tab has stored of the draft, and keeps it from now on. */
export function keepConversation(): void {
  const [turnsKey, typedKey] = [chatKey('turns'), chatKey('typed')]
  turns.value = readTurns(sessionStorage.getItem(turnsKey))
  typed.value = sessionStorage.getItem(typedKey) ?? ''
  effect(() => keep(turnsKey, JSON.stringify(turns.value.slice(-most))))
  effect(() => keep(typedKey, typed.value))
}

function keep(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text)
  } catch {
    // The tab may keep no more; the conversation goes on without.
    sessionStorage.removeItem(key)
  }
}

function readTurns(stored: string | null): readonly Turn[] {
  try {
    return JSON.parse(stored ?? '[]') as readonly Turn[]
  } catch {
    return []
  }
}

export function update(id: number, change: (turn: Turn) => Turn): void {
  turns.value = turns.value.map((turn) => (turn.id === id ? change(turn) : turn))
}

export function addTurn(turn: Omit<Turn, 'id'>): number {
  const id = (turns.value.at(-1)?.id ?? 0) + 1
  turns.value = [...turns.value, { ...turn, id }]
  return id
}
