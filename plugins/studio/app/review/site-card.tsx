import { revertedParts } from '../stores/reverted.ts'
import { isRevertible, nameOfSetting, wordsOfSetting, type SettingDiff } from '../stores/setting-diff.ts'
import { Difference } from './difference.tsx'
import { resetSetting } from './intents.ts'
import { Revert, RevertedPart } from './page-changes.tsx'
import { goingAlong } from '../stores/published-changes.ts'
import { titleOf } from '../stores/review.ts'
import { chosen, isTicked, settings } from '../stores/ticks.ts'
import { Tick } from './tick.tsx'

export const siteCard = 'changes of the site'

/** What a publish would change of the header and the menu, which every page shows. */
export function SiteCard({ diffs }: { readonly diffs: readonly SettingDiff[] }) {
  const changed = new Map(diffs.map((each) => [each.path, each]))
  const paths = new Set([...changed.keys(), ...revertedParts()])
  if (paths.size === 0) return null
  return (
    <section class="card" id={siteCard} tabIndex={-1}>
      <h2>
        {diffs.length > 0 && <Tick slug={settings} name="site settings" />}
        Site settings
      </h2>
      {!isTicked(settings) &&
        goingAlong(diffs, chosen.value?.pages ?? [], titleOf).map((each) => (
          <p class="soft" key={each}>
            {each}
          </p>
        ))}
      {[...paths].toSorted().map((path = '') => {
        const setting = changed.get(path)
        if (!setting) return <RevertedPart key={path} name={nameOfSetting({ path })} />
        return <Setting key={path} setting={setting} />
      })}
    </section>
  )
}

const Setting = ({ setting }: { readonly setting: SettingDiff }) => (
  <section class="block-diff">
    <h3>
      {nameOfSetting(setting)}
      {isRevertible(setting) && <Revert onRevert={() => resetSetting(setting)}>Revert this</Revert>}
    </h3>
    <Difference
      kind={setting.kind}
      before={wordsOfSetting(setting.before)}
      after={wordsOfSetting(setting.after)}
    />
  </section>
)
