import type { Language } from './language.ts'

const rest = '(?<rest>.+)'
const where = '(?: (?:on|of|in|about) (?<where>.+?))?'
const problems = '(?:problems|errors|issues|mistakes|findings)'
const wrong = "what (?:is|'s) (?:wrong|broken|not right)|whats (?:wrong|broken)|is (?:anything|something) (?:wrong|broken)"
const site = '(?:the|my|our|this) (?:site|website)'

/** Of the words of a message, separated by blanks. */
export const questions: Language['questions'] = [
  ['blockCatalogue', new RegExp(`^(?:what|which) (?:(?:other|more|kinds of|types of) )?(?:blocks|sections|components|block types|elements) (?:can|could|may) (?:i|we|you) (?:add|use|insert)(?: here)?${where}$`, 'd')],
  ['blockCatalogue', /^(?:(?:what|which) (?:other )?(?:blocks|sections|components|block types) (?:are available|exist)|(?:(?:show(?: me)?|list) )?(?:the |all |all the )?(?:available (?:blocks|sections|components)|block types)|(?:what|which) (?:else|other things) can (?:i|we) add(?: here)?|what can (?:i|we) add(?: here)?)$/d],
  ['editableFields', new RegExp(`^(?:what|which things) (?:can|could) (?:i|we|you) (?:change|edit)(?: here)?${where}$`, 'd')],
  ['editableFields', /^(?:what|which) (?:fields|props|texts) (?:does|do) (?<where>.+?) have$/d],
  ['editableFields', new RegExp(`^(?:what|which) (?:fields|props|texts)(?: can (?:i|we|you) (?:change|edit)| are there| are editable| can be edited)?(?: here)?${where}$`, 'd')],
  ['editableFields', new RegExp(`^(?:(?:what|which) is editable(?: here)?|(?:list|show(?: me)?) (?:the |all |all the )?(?:editable )?fields)${where}$`, 'd')],
  ['pageList', new RegExp(`^(?:(?:list|show(?: me)?) (?:all |the |all the |my |our )?pages(?: of ${site})?|(?:what|which) pages (?:are there|do (?:i|we) have|exist|does ${site} have)|how many pages(?: are there| do (?:i|we) have| exist| does ${site} have)?|(?:what are )?(?:all )?the pages)$`, 'd')],
  ['checkSite', new RegExp(`^(?:(?:${wrong}) (?:with|on) ${site}|are there (?:any )?${problems} (?:with|on) ${site}|check ${site}(?: for ${problems})?|(?:find|list|show(?: me)?) (?:all |the |any )?${problems} (?:with|on|of) ${site}|run (?:all |the |all the )?checks)$`, 'd')],
  ['checkPage', new RegExp(`^(?:(?:${wrong})|are there (?:any )?${problems}|(?:find|list|show(?: me)?) (?:all |the |all the |any )?${problems})(?: here| (?:with|on|of) (?<where>.+?))?$`, 'd')],
  ['checkPage', new RegExp(`^check (?<where>(?:this|the|my|our|/).*?)(?: for ${problems})?$`, 'd')],
  ['fixSite', new RegExp(`^fix (?:(?:all )?(?:the )?${problems}|what can be fixed) (?:with|on|of) ${site}$`, 'd')],
  ['fixPage', new RegExp(`^fix (?:(?:all )?(?:the )?${problems}|what (?:can be fixed|the checks found|is wrong|is broken))(?: here| (?:with|on|of) (?<where>.+?))?$`, 'd')],
  ['inventory', new RegExp(`^(?:list|show(?: me)?) (?:all |the |all the |my |our )?(?<thing>.+?)(?: here)?${where}$`, 'd')],
  ['inventory', new RegExp(`^(?:how many|what|which) (?<thing>.+?)(?: are there| do (?:i|we) have| are| does (?<page>.+?) have)?(?: here)?${where}$`, 'd')],
  ['advice', new RegExp(`^(?:should (?:i|we)|do you (?:recommend|suggest|think)|would you (?:recommend|suggest)|is it a good idea) ${rest}$`, 'd')],
  ['advice', new RegExp(`^is ${rest} a good idea$`, 'd')],
  ['advice', /^(?:how (?:can|could|do|should|would) (?:i|we|you) improve(?: .+)?|what (?:should|could|can) (?:be improved|(?:i|we|you) improve)(?: .+)?|(?:audit|review)(?: (?:this|the) (?:page|site)| this)?|any (?:suggestions|ideas|advice)(?: for .+)?|(?:what|which) (?:is missing|sections are missing)(?: .+)?)$/d],
  ['help', /^(?:help(?: me)?|what can (?:you|i) do(?: here)?(?: for me)?|how does (?:this|it) work|what (?:are you|do you understand)(?: able to do)?|who are you|(?:show(?: me)?|list) (?:some )?(?:examples|commands))$/d],
  ['image', /^(?:describe (?:this|that|the) (?:image|photo|picture)|what (?:is|can be seen) (?:in|on) (?:this|that|the) (?:image|photo|picture)|what does (?:this|that|the) (?:image|photo|picture) show|where (?:is|does) (?:this|that|the) (?:image|photo|picture)(?: come)?(?: from)?)$/d],
  ['negated', /^(?:don't|do not|never|avoid|stop)(?: .+)?$/d],
  ['history', /^(?:undo|redo|revert)(?: .+)?$/d],
  ['publishing', /^(?:publish|go live|deploy|unpublish)(?: .+)?$/d],
]
