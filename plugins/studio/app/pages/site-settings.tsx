import { settingNames } from '../../../content/setting-names.ts'
import { useStableFocus } from '../parts/use-stable-focus.ts'
import { config, type SiteConfig } from '../stores/site-config.ts'
import { guidanceIn, storeGuidance } from './intents.ts'
import { MenuSettings } from './menu-settings.tsx'
import { Setting } from './setting.tsx'
import { storeSetting, type SiteSetting } from './store-setting.ts'

/** The header, the menu, and what the chat knows of the site. */
export function SiteSettings() {
  const now = config.value
  const form = useStableFocus()
  if (!now) return <div class="skeleton pad" aria-busy="true" />
  return (
    <form class="fields" ref={form} onSubmit={(event) => event.preventDefault()}>
      <h2>Site header</h2>
      <HeaderField name="name" now={now} />
      <HeaderField name="logo" now={now} />
      <MenuSettings />
      <h2>For the chat</h2>
      <Guidance name="purpose" what="Purpose" isLong />
      <Guidance name="tone" what="Tone" hint="For example: warm, short, no slang" />
      <Guidance name="constraints" what="Rules" label={`${settingNames.constraints}, one a line`} isLong />
    </form>
  )
}

interface GuidanceProps {
  readonly name: Parameters<typeof guidanceIn>[0]
  /** What it is called in messages. */
  readonly what: string
  readonly label?: string
  readonly hint?: string
  readonly isLong?: boolean
}

const Guidance = ({ name, what, label = settingNames[name], ...props }: GuidanceProps) => (
  <Setting
    {...props}
    name={name}
    label={label}
    stored={guidanceIn(name)}
    onStore={(value, on) => storeGuidance(what, name, value, on)}
  />
)

interface HeaderFieldProps {
  readonly name: 'name' | 'logo'
  readonly now: SiteConfig
}

const headerSetting = (name: 'name' | 'logo'): SiteSetting => ({
  what: settingNames[name],
  stored: () => config.value?.[name] ?? '',
  opsFor: (value) => [{ op: 'update_site_config', patch: { [name]: value } }],
})

function HeaderField({ name, now }: HeaderFieldProps) {
  const label = settingNames[name]
  const stored = now[name] ?? ''
  return (
    <Setting
      name={name}
      label={label}
      stored={stored}
      isPicture={name === 'logo'}
      onStore={(value, on) => storeSetting(headerSetting(name), { value, on })}
    />
  )
}
