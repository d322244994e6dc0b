/** What the token of this tab allows. */
import { effect, signal } from '@preact/signals'
import { call, holder, type Answer } from '../service.ts'
import { newest } from './newest.ts'

type Access = Answer<'GET /auth/access'>
export type Permission = Access['can'][number]

/** `undefined` until it is known; then nothing is forbidden yet. */
const access = signal<Access | undefined>(undefined)

const loadAccess = newest(
  () => call('GET /auth/access'),
  (found) => void (access.value = found),
)

/** Keeps it current when another token is taken. */
export function followAccess(): void {
  effect(() => {
    if (holder.value !== undefined || access.peek() === undefined) loadAccess().catch(() => undefined)
  })
}

export const may = (permission: Permission): boolean => access.value?.can.includes(permission) ?? true

/** The command that makes a token with one more permission. */
export function commandFor(permission: Permission): string {
  const { can = [], site } = access.value ?? {}
  const list = [...new Set([...can, permission])].join(',')
  return `npx content-orchestrator token create --can ${list}${site === undefined ? '' : ` --site ${site}`}`
}

/** Says which permission is missing, and how to get it; `undefined` if it is there. */
export const whyNot = (permission: Permission): string | undefined =>
  may(permission) ? undefined : `Your token lacks “${permission}”. Ask for one: ${commandFor(permission)}`
