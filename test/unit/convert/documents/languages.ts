import { T } from './written.ts';
import type { Written } from './written.ts';

/** Other languages than English. */
export const languages: readonly Written[] = [
  {
    name: 'German',
    text: `# Notizen
## Einleitung
Notizen ablegen.
## Benutzergeschichten
### US-001: Notiz speichern
**Beschreibung:** Als Nutzer möchte ich eine Notiz speichern.
**Akzeptanzkriterien:**
- Eine Notiz hat einen Titel
- Die Typprüfung läuft durch
### US-002: Notizen zeigen
**Abhängig von:** US-001
**Akzeptanzkriterien:**
- Die neueste zuerst
`,
    expected: {
      'US-001 Notiz speichern': ['Eine Notiz hat einen Titel', 'Die Typprüfung läuft durch'],
      'US-002 Notizen zeigen': ['Die neueste zuerst', T],
    },
  },
  {
    name: 'French',
    text: `# Notes
## Récits utilisateur
### US-001 : Enregistrer une note
En tant qu'utilisateur, je veux enregistrer une note.
**Critères d'acceptation :**
- Une note a un titre
`,
    expected: { 'US-001 Enregistrer une note': ['Une note a un titre', T] },
  },
  {
    name: 'Chinese',
    text: `# 笔记
## 用户故事
### US-001：保存笔记
**描述：** 作为用户，我想保存笔记。
**验收标准：**
- 笔记有标题
`,
    expected: { 'US-001 保存笔记': ['笔记有标题', T] },
  },
];
