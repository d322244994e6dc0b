import { IconButton } from '../parts/button.tsx'
import { Icon } from '../parts/icon.tsx'
import { givenName } from '../person.ts'
import { changeCount } from '../stores/review.ts'
import { help, isNaming, view } from '../stores/ui.ts'
import { isPhone } from '../stores/widths.ts'
import { nameOfKey } from '../parts/key-names.ts'
import { allowedViews } from './views.ts'

/** The views, and the list of keys. */
export const Rail = () => (
  <nav class="rail" aria-label="Views">
    {allowedViews().map(({ name, text, icon }) => (
      <button
        key={name}
        type="button"
        aria-current={view.value === name ? 'page' : undefined}
        onClick={() => (view.value = name)}
      >
        <Icon name={icon} />
        {name === 'review' && isPhone.value && changeCount.value > 0 ? `${text} ${changeCount.value}` : text}
      </button>
    ))}
    <span class="grow" />
    <IconButton
      name="users"
      label={givenName.value === '' ? 'Add your name' : `Your name: ${givenName.value}`}
      onClick={() => (isNaming.value = true)}
    />
    <IconButton name="keyboard" label={`Keys (${nameOfKey('?')})`} onClick={() => (help.value = true)} />
  </nav>
)
