import { useId, useRef } from 'preact/hooks'
import { IconButton } from './button.tsx'
import type { IconName } from './icons.ts'

export interface MenuItem {
  readonly text: string
  /** The key that does the same. */
  readonly hint?: string | undefined
  readonly isDisabled?: boolean | undefined
  readonly run: () => void
}

interface MenuProps {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly icon?: IconName
}

/** A button with further actions. Arrows walk, Escape closes, and the focus returns to the button. */
export function Menu({ label, items, icon = 'ellipsis' }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)

  const toggle = ({ newState }: { readonly newState: string }): void => {
    if (newState !== 'open' || !button.current || !list.current) return
    const { left, top, bottom } = button.current.getBoundingClientRect()
    const { width, height } = list.current.getBoundingClientRect()
    const y = bottom + height > innerHeight ? top - height : bottom
    list.current.style.left = `${Math.max(4, Math.min(left, innerWidth - width - 4))}px`
    list.current.style.top = `${Math.max(4, y)}px`
  }
  const key = (event: KeyboardEvent): void => {
    event.stopPropagation()
    const all = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = all.findIndex((each) => each === document.activeElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    all.at(to % all.length)?.focus()
  }
  const choose = (run: () => void): void => {
    list.current?.hidePopover()
    run()
  }
  return (
    <>
      <IconButton
        ref={button}
        name={icon}
        label={label}
        aria-haspopup="menu"
        popovertarget={id}
        onClick={(event) => event.stopPropagation()}
      />
      <div
        ref={list}
        id={id}
        class="menu"
        role="menu"
        aria-label={label}
        popover="auto"
        onToggle={toggle}
        onKeyDown={key}
      >
        {items.map(({ text, hint, isDisabled, run }, index) => (
          <button
            key={text}
            type="button"
            role="menuitem"
            tabIndex={-1}
            autofocus={index === 0}
            aria-disabled={isDisabled}
            onClick={(event) => {
              event.stopPropagation()
              if (!isDisabled) choose(run)
            }}
          >
            {text} {hint !== undefined && <kbd>{hint}</kbd>}
          </button>
        ))}
      </div>
    </>
  )
}
