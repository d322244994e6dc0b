import type { Language } from './language.ts'

const me = '(?:ich|wir|man|du|sie)'
const kinds = '(?:abschnitte|blöcke|bereiche|sektionen|komponenten|elemente|blocktypen|abschnittstypen)'
const where = '(?: (?:auf|in|im|an|mit|vom|von|bei|beim|für|der|des) (?<where>.+?))?'
const problems = '(?:probleme|fehler|mängel)'
const site = '(?:der|unserer|meiner|dieser|die|unsere|meine) (?:website|webseite)'

/** Of the words of a message, separated by blanks. */
export const questions: Language['questions'] = [
  ['blockCatalogue', new RegExp(`^(?:welche (?:anderen |weiteren )?${kinds} (?:(?:kann|können|könnte|könnten) ${me} (?:hier |noch )?(?:hinzufügen|einfügen|verwenden|ergänzen|nutzen)|gibt es(?: noch)?|sind verfügbar)|was (?:kann|können) ${me} (?:hier |noch |alles )*(?:hinzufügen|einfügen|ergänzen)|verfügbare ${kinds})$`, 'd')],
  ['editableFields', new RegExp(`^was (?:(?:kann|können|könnte) ${me}|lässt sich|ist)(?: hier)?(?: alles)?${where} (?:ändern|bearbeiten|anpassen|bearbeitbar|änderbar)$`, 'd')],
  ['editableFields', new RegExp(`^welche (?:felder|texte|eigenschaften) (?:kann|können) ${me}(?: hier)?${where} (?:ändern|bearbeiten)$`, 'd')],
  ['editableFields', new RegExp(`^welche (?:felder|texte|eigenschaften) gibt es(?: hier)?${where}$`, 'd')],
  ['editableFields', /^welche (?:felder|eigenschaften) hat (?<where>.+)$/d],
  ['pageList', new RegExp(`^(?:(?:zeige|zeig|liste|nenne)(?: mir)? (?:alle |die |unsere |meine )?seiten(?: ${site})?(?: auf)?|(?:welche|wie viele|wieviele) seiten(?: gibt es| haben wir| habe ich| hat ${site})?|alle seiten(?: auflisten| anzeigen)?)$`, 'd')],
  ['checkSite', new RegExp(`^(?:was (?:stimmt|passt) (?:auf|an|mit) ${site} nicht|was ist (?:auf|an|mit) ${site} (?:falsch|kaputt)|gibt es ${problems} (?:auf|mit) ${site}|(?:prüfe|prüf|überprüfe) ${site} auf ${problems})$`, 'd')],
  ['checkPage', new RegExp(`^(?:was (?:stimmt|passt)(?: hier| (?:auf|an|mit) (?<where>.+?))? nicht|was ist(?: hier)? (?:falsch|kaputt)|gibt es(?: hier)? ${problems}|(?:prüfe|prüf|überprüfe) diese seite auf ${problems})$`, 'd')],
  ['fixSite', new RegExp(`^(?:behebe|beheb|korrigiere) (?:alle |die )?${problems} (?:auf |an |von )?${site}$`, 'd')],
  ['fixPage', new RegExp(`^(?:behebe|beheb|korrigiere) (?:alle |die )?${problems}(?: hier| (?:auf |von |an )?(?<where>(?:dieser|der) seite|.+?))?$`, 'd')],
  ['inventory', new RegExp(`^(?:(?:zeige|zeig|liste|nenne)(?: mir)? (?:alle |die |unsere |meine )?|(?:wie viele|wieviele|welche) )(?<thing>.+?)(?: gibt es| haben wir| habe ich| sind da| sind)?(?: hier)?${where}(?: auf)?$`, 'd')],
  ['advice', /^(?:soll|sollte|sollen|sollten) (?:ich|wir|man) (?<rest>.+)$/d],
  ['advice', /^(?:empfiehlst du|empfehlen sie|findest du|meinst du|denkst du|ist es sinnvoll|würdest du) (?<rest>.+)$/d],
  ['advice', /^(?:ist|wäre) (?<rest>.+) (?:eine gute idee|sinnvoll)$/d],
  ['advice', new RegExp(`^(?:wie (?:kann|könnte|können|könnten) ${me} .*(?:verbessern|optimieren)|was (?:sollte|könnte|kann|können|sollten) .*(?:verbessern|verbessert werden|besser machen)|was fehlt(?: .+)?|(?:prüfe|prüf|überprüfe|bewerte) (?:diese|die) seite)$`, 'd')],
  ['help', /^(?:hilfe|hilf mir|was (?:kannst du|können sie)(?: hier| alles| für mich)*(?: tun| machen)?|wie (?:funktioniert|geht) (?:das|es)(?: hier)?|wer bist du|was verstehst du|(?:zeige|zeig|nenne)(?: mir)?(?: ein paar)? (?:beispiele|befehle))$/d],
  ['image', /^(?:(?:beschreibe|beschreib) (?:dieses|das) (?:bild|foto)|was (?:ist|sieht man) auf (?:diesem|dem) (?:bild|foto)(?: zu sehen)?|was zeigt (?:dieses|das) (?:bild|foto))$/d],
  ['negated', /^(?:(?:nicht|niemals|nie|kein|keine|keinen|auf keinen fall|keinesfalls)(?: .+)?|(?:lösche?|entferne?|ändere|verschiebe?|benenne|füge|ersetze|kopiere|mache?) (?:.+ )?(?:nicht|nichts|niemals|kein|keine|keinen)(?: .+)?)$/d],
  ['history', /^(?:(?:mach|mache|nimm) (?:.+ )?(?:rückgängig|zurück)|rückgängig(?: machen)?|(?:.+ )?(?:rückgängig machen|wiederherstellen|zurücknehmen))$/d],
  ['publishing', /^(?:(?:veröffentliche|publiziere|veröffentlichen)(?: .+)?|(?:.+ )(?:veröffentlichen|publizieren|live stellen|live schalten)|geh live|live gehen)$/d],
]
