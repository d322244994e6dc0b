import { settingNames } from '../../../content/setting-names.ts'
import { useKeptFocus } from '../parts/use-kept-focus.ts'
import { config, type SiteConfig } from '../stores/site-config.ts'
import { storeGuidance } from './intents.ts'
import { MenuSettings } from './menu-settings.tsx'
import { Setting } from './setting.tsx'
import { storeSetting, type SiteSetting } from './store-setting.ts'

/** The header, the menu, and what the chat knows of the site. */
export function SiteSettings() {
  const now = config.value
  const form = useKeptFocus()
  if (!now) return <div class="skeleton pad" aria-busy="true" />
  return (
    <form class="fields" ref={form} onSubmit={(event) => event.preventDefault()}>
      <h2>Site header</h2>
      <HeaderField name="name" now={now} />
      <HeaderField name="logo" now={now} />
      <MenuSettings />
      <h2>For the chat</h2>
      <Setting
        name="purpose"
        label={settingNames.purpose}
        isLong
        stored={now.purpose ?? ''}
        onStore={(purpose) => storeGuidance('Purpose', { purpose }, { purpose: now.purpose ?? '' })}
      />
      <Setting
        name="tone"
        label={settingNames.tone}
        hint="For example: warm, short, no slang"
        stored={now.tone ?? ''}
        onStore={(tone) => storeGuidance('Tone', { tone }, { tone: now.tone ?? '' })}
      />
      <Setting
        name="constraints"
        label={`${settingNames.constraints}, one a line`}
        isLong
        stored={(now.constraints ?? []).join('\n')}
        onStore={(text) => {
          const constraints = text.split('\n').filter((line) => line.trim())
          return storeGuidance('Rules', { constraints }, { constraints: now.constraints ?? [] })
        }}
      />
    </form>
  )
}

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
