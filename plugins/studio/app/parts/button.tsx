import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { whyNot, type Permission } from '../stores/access.ts'
import { say } from '../stores/toast.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

interface Pressable extends ButtonHTMLAttributes {
  /** What the token must allow; else the button stays, and says why it does nothing. */
  readonly needs?: Permission | undefined
}

/** The properties of a button, also of one that is not allowed. */
function pressable({ needs, ...rest }: Pressable): ButtonHTMLAttributes {
  const why = needs === undefined ? undefined : whyNot(needs)
  if (why === undefined) return rest
  const explain = (event: Event): void => {
    event.preventDefault()
    say(why)
  }
  return { ...rest, onClick: explain, disabled: false, 'aria-disabled': true, title: why }
}

interface ButtonProps extends Pressable {
  readonly variant?: 'main' | 'line' | 'plain'
}

export const Button = ({ variant = 'line', ...rest }: ButtonProps) => (
  <button type="button" class={`button ${variant}`} {...pressable(rest)} />
)

interface IconButtonProps extends Pressable {
  readonly name: IconName
  /** What the button does, for people and screen readers. */
  readonly label: string
}

export const IconButton = ({ name, label, ...rest }: IconButtonProps) => (
  <button type="button" class="button icon-button" title={label} aria-label={label} {...pressable(rest)}>
    <Icon name={name} />
  </button>
)

interface MoveButtonsProps {
  /** What moves, such as `picture 2`. */
  readonly what?: string
  /** The position among the others, from 0 on, and that of the last one. */
  readonly at: number
  readonly last: number
  readonly needs?: Permission
  readonly onMove: (by: -1 | 1) => void
}

/** Moves something by one place. */
export function MoveButtons({ what, at, last, needs, onMove }: MoveButtonsProps) {
  const label = (way: string): string => ['Move', what, way].filter(Boolean).join(' ')
  const up = { label: label('up'), disabled: at <= 0, onClick: () => onMove(-1) }
  const down = { label: label('down'), disabled: at >= last, onClick: () => onMove(1) }
  return (
    <>
      <IconButton name="arrow-up" needs={needs} {...up} />
      <IconButton name="arrow-down" needs={needs} {...down} />
    </>
  )
}

interface ChoiceProps<T extends string> {
  readonly label: string
  readonly options: readonly { readonly value: T; readonly text: ComponentChildren; readonly title: string }[]
  readonly value: T
  readonly onChoose: (value: T) => void
}

/** A row of buttons of which one is pressed. */
export const Choice = <T extends string>({ label, options, value, onChoose }: ChoiceProps<T>) => (
  <div class="choice" role="group" aria-label={label}>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        title={option.title}
        aria-label={typeof option.text === 'string' ? undefined : option.title}
        aria-pressed={option.value === value}
        onClick={() => onChoose(option.value)}
      >
        {option.text}
      </button>
    ))}
  </div>
)
