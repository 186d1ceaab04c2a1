import { frameCases } from './journeys/frame.ts';
import { keyboardCases } from './journeys/keyboard.ts';
import { searchCases } from './journeys/search.ts';
import { signInCases } from './journeys/sign-in.ts';
import { useCases } from './journeys/use.ts';
import { runCases } from './support/run-cases.ts';

runCases(signInCases, searchCases, useCases, keyboardCases, frameCases);
