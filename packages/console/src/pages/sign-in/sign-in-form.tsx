interface SignInFormProps {
  readonly onSignedIn: () => void;
}

/** E-mail and password, or single sign-on. Also shown in the dialog of a session that has ended. */
export default function SignInForm(_: SignInFormProps) {
  return <p>This form is not built yet.</p>;
}
