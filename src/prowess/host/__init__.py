"""What a PATH offers, brought to life."""
