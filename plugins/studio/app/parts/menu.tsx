import { useId, useRef } from 'preact/hooks'
import { Button, IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

interface MenuItem {
  /** Where several items may have the same text. */
  readonly id?: string
  readonly text: string
  /** The key that does the same, or what else there is to know. */
  readonly hint?: string | undefined
  readonly isDisabled?: boolean | undefined
  readonly run: () => void
}

interface MenuProps {
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly icon?: IconName
  /** Shown on the button in place of the icon. */
  readonly text?: string | undefined
  readonly onOpen?: () => void
}

/** A button with further actions. Arrows walk, Escape closes, and the focus returns to the button. */
export function Menu({ label, items, icon = 'ellipsis', text, onOpen }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)

  const toggle = ({ newState }: { readonly newState: string }): void => {
    if (newState !== 'open' || !button.current || !list.current) return
    onOpen?.()
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
  const opener = {
    ref: button,
    'aria-haspopup': 'menu',
    popovertarget: id,
    onClick: (event: Event) => event.stopPropagation(),
  } as const
  return (
    <>
      {text === undefined ? (
        <IconButton name={icon} label={label} {...opener} />
      ) : (
        <Button variant="plain" title={label} {...opener}>
          <span class="opener">
            <b class="cut">{text}</b> <Icon name="chevron-down" />
          </span>
        </Button>
      )}
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
        {items.map(({ text, id = text, hint, isDisabled, run }, index) => (
          <button
            key={id}
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
