import { useEffect, useRef } from 'preact/hooks'
import { pageVersion } from '../stores/draft.ts'
import { discard, offered } from '../stores/unsaved.ts'
import { isSame } from '../stores/place.ts'
import {
  decide,
  enter,
  isUnsent,
  leave,
  show,
  type,
  typedAt,
  type TypedConflict,
  type Store,
  type Typed,
} from '../stores/typed.ts'

/** What a field needs to be typed into. */
export interface UseTyped<T> {
  /** What the field shows. */
  readonly value: T
  readonly isUnsent: boolean
  readonly failure: string | undefined
  /** What others stored meanwhile. */
  readonly conflict: TypedConflict<T> | undefined
  /** What an earlier page load has left unsaved here. */
  readonly unsaved:
    | {
        readonly value: T
        readonly at: string
        /** Whether others have stored something here since. */
        readonly isOld: boolean
        readonly use: () => void
        readonly discard: () => void
      }
    | undefined
  readonly type: (value: T) => void
  /** Ends typing: what was typed is stored, and others may write the field until the next key. */
  readonly save: () => void
  /** Ends a conflict with the value that stays. */
  readonly decide: (value: T) => void
  readonly focus: { readonly onFocus: () => void; readonly onBlur: () => void }
}

/**
 * Binds a field to what is typed into it, by the name of its place.
 *
 * While the field has the caret nothing else writes it, until Enter ends typing. What is typed is stored at a
 * pause, unless `when` is `once left`, when the field is left and when it is closed, and is shown until
 * the page has it.
 */
export function useTyped<T>(
  name: string,
  stored: T,
  store: (value: T, on: T, name: string) => ReturnType<Store>,
  when?: Parameters<typeof type>[4],
): UseTyped<T> {
  const at = typedAt(name)
  const now = at.value
  const latest = useRef<Store>(() => Promise.reject(new Error('not shown yet')))
  const hasCaret = useRef(false)
  // The values at a place have one type, that of its field.
  latest.current = store as Store
  const send: Store = (value, on, name) => latest.current(value, on, name)
  useEffect(() => show(name, send), [name])
  const shown = now && !isPassed(now) ? now : undefined
  const value = shown ? (shown.value as T) : stored
  return {
    value,
    isUnsent: shown !== undefined && isUnsent(shown),
    failure: shown?.failure,
    conflict: shown?.conflict as TypedConflict<T> | undefined,
    unsaved: useUnsaved(name, stored, (text) => type(name, text, value, send)),
    type(next) {
      if (hasCaret.current) enter(name, value)
      type(name, next, value, send, when)
    },
    save: () => leave(name, send),
    decide: (value) => void decide(name, value, send),
    focus: {
      onFocus() {
        hasCaret.current = true
        enter(name, value)
      },
      onBlur() {
        hasCaret.current = false
        leave(name, send)
      },
    },
  }
}

/** The text that an earlier page load has left at a place, or one whose place was deleted. */
export function useUnsaved<T>(name: string, stored: T, use: (value: T) => void): UseTyped<T>['unsaved'] {
  const unsaved = offered.value.find((each) => each.name === name)
  const isStored = unsaved !== undefined && isSame(unsaved.value, stored)
  useEffect(() => void (isStored && discard(unsaved.key)), [isStored])
  if (!unsaved) return undefined
  const value = unsaved.value as T
  return {
    value,
    at: unsaved.at,
    isOld: !isSame(unsaved.on, stored),
    use() {
      use(value)
      discard(unsaved.key)
    },
    discard: () => discard(unsaved.key),
  }
}

/** Whether the shown page has what was typed, or something newer. */
const isPassed = (typed: Typed): boolean =>
  !typed.hasFocus && !isUnsent(typed) && pageVersion.value >= (typed.version ?? 0)
